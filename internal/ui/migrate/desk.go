package migrate

import (
	"context"
	"sync"
	"time"

	"github.com/tidemark/tidemark/internal/ui/feed"
)

// Desk is where objects are converted. It belongs to one caller: what it read once is
// shown again for a while.
type Desk struct {
	// Read reads the objects that the caller may see: manifests of autoscalers and of
	// what they scale, one each. Its notes say what could not be read.
	Read func(ctx context.Context, see func(manifest []byte) error) (notes []string, err error)
	// Now is the clock; nil is for what never changes.
	Now func() time.Time

	once sync.Once
	// turn is whose turn it is to read, which also guards what was read last.
	turn chan struct{}
	last *sorted
	at   time.Time
}

// fresh is how long what was read is shown again, and most how many objects are
// looked at.
const (
	fresh = 30 * time.Second
	most  = 5000
)

// Foreign lists the objects of other autoscalers.
func (d *Desk) Foreign(ctx context.Context) (feed.Foreign, error) {
	all, err := d.read(ctx)
	if err != nil {
		return feed.Foreign{}, err
	}
	out := feed.Foreign{Objects: []feed.ForeignObject{}, Notes: append([]string{}, all.notes...)}
	for i := range all.found {
		out.Objects = append(out.Objects, all.found[i].line)
	}
	return out, nil
}

// Move is one of them beside what it is converted to.
func (d *Desk) Move(ctx context.Context, id string) (feed.Move, error) {
	all, err := d.read(ctx)
	if err != nil {
		return feed.Move{}, err
	}
	for i := range all.found {
		if all.found[i].line.ID == id {
			return all.found[i].move(all)
		}
	}
	return feed.Move{}, feed.ErrUnknown
}

// read reads and sorts what there is, unless that was done a moment ago. Who does not
// wait any longer ends it.
func (d *Desk) read(ctx context.Context) (*sorted, error) {
	d.once.Do(func() { d.turn = make(chan struct{}, 1) })
	select {
	case d.turn <- struct{}{}:
		defer func() { <-d.turn }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if d.last != nil && (d.Now == nil || d.Now().Sub(d.at) < fresh) {
		return d.last, nil
	}
	all, err := sortOut(ctx, d.Read)
	if err != nil {
		return nil, err
	}
	d.last = all
	if d.Now != nil {
		d.at = d.Now()
	}
	return all, nil
}

var _ feed.Migrates = (*Desk)(nil)
