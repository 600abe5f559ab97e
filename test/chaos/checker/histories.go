package checker

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/history"
	"github.com/tidemark/tidemark/test/chaos/trail"
)

// judgeHistories: a version knows all that the one before it knew, and all that
// whoever wrote it had written before or began with, even if that was deleted
// meanwhile.
func (c *Checker) judgeHistories(o *object, writes []*trail.Request) {
	var before *stored
	wrote := map[string]*stored{}
	for i := range o.histories {
		now := &o.histories[i]
		if now.deleted {
			before = nil
			continue
		}
		who := writerOf(now, "workloadhistories", writes)
		if before != nil && before.is.Epoch == now.is.Epoch {
			c.judgeKnowledge(o, before, now)
		}
		mine := wrote[who]
		if mine == nil {
			mine = c.begunWith(o, who)
		}
		if who != "" && mine != nil && mine != before && mine.is.Epoch == now.is.Epoch {
			c.judgeKnowledge(o, mine, now)
		}
		before, wrote[who] = now, now
	}
}

// begunWith is the version that was there when a controller began to lead and still
// when it looked first; nil where there was none, or another one. Nobody reads
// histories before leading.
func (c *Checker) begunWith(o *object, who string) (known *stored) {
	led := c.led(who)
	var looked time.Time
	for _, l := range o.looks {
		if l.who == who {
			looked = l.seen
			break
		}
	}
	for i := range o.histories {
		switch h := &o.histories[i]; {
		case !h.at.After(led):
			if known = h; h.deleted {
				known = nil
			}
		case h.at.Before(looked.Add(lag)):
			return nil
		}
	}
	return known
}

// writerOf is who wrote a version of an object; empty where that is not known.
func writerOf(s *stored, resource string, writes []*trail.Request) (who string) {
	for _, r := range writes {
		if age := s.at.Sub(r.Began); r.Version == strconv.FormatInt(s.is.Revision, 10) && r.Resource == resource && age > -lag && age < reach {
			who = r.Who // after a restore of etcd the same versions come again
		}
	}
	return who
}

func (c *Checker) judgeKnowledge(o *object, before, now *stored) {
	older, ownerBefore, err := historyOf(before)
	if err != nil {
		return // nobody can lose what cannot be read
	}
	newer, owner, err := historyOf(now)
	if err != nil {
		c.violated(Knowledge, o.name, now.at, "the history cannot be read any more: %v", err)
		return
	}
	if owner != ownerBefore {
		return // another object of the same name
	}
	c.judged[Knowledge]++
	sure := !c.clockSet(before.at, now.at) && older.Newest().Before(before.at.Add(clockStep))
	if what := forgotten(older, newer, sure); what != "" {
		c.violated(Knowledge, o.name, now.at, "the history forgot %s that it knew at %s", what, before.at)
	}
}

func historyOf(s *stored) (*history.History, string, error) {
	var obj v1alpha1.WorkloadHistory
	if err := json.Unmarshal(s.is.Value, &obj); err != nil {
		return nil, "", err
	}
	owner := ""
	for _, o := range obj.OwnerReferences {
		owner = string(o.UID)
	}
	settings, err := history.SettingsOf(obj.History)
	if err != nil {
		return nil, owner, fmt.Errorf("its settings: %w", err)
	}
	h, err := history.Decode(obj.History, settings)
	return h, owner, err
}
