package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// span is from a moment up to, but not including, another.
type span struct{ from, to time.Time }

func (s span) holds(at time.Time) bool { return !at.Before(s.from) && at.Before(s.to) }

// asked is what one user has asked the API server for.
type asked struct {
	// requests counts them by verb and resource.
	requests map[string]int
	// looks are the moments at which the scale of each target was read, which
	// is what the HPA controller begins a look with.
	looks map[string][]time.Time
	// scaled are those at which it was written.
	scaled map[string][]time.Time
}

// event is what is read of an entry in the audit log.
type event struct {
	Verb string `json:"verb"`
	URI  string `json:"requestURI"`
	User struct {
		Name string `json:"username"`
	} `json:"user"`
	Object *struct {
		Resource    string `json:"resource"`
		Namespace   string `json:"namespace"`
		Name        string `json:"name"`
		APIGroup    string `json:"apiGroup"`
		Subresource string `json:"subresource"`
	} `json:"objectRef"`
	At time.Time `json:"requestReceivedTimestamp"`
}

// readAudit reads what a user asked for within a span.
func readAudit(file, user string, during span) (asked, error) {
	in, err := os.Open(file)
	if err != nil {
		return asked{}, fmt.Errorf("reading the audit log: %w", err)
	}
	defer in.Close()
	return parseAudit(in, user, during)
}

func parseAudit(in io.Reader, user string, during span) (asked, error) {
	out := asked{requests: map[string]int{}, looks: map[string][]time.Time{}, scaled: map[string][]time.Time{}}
	decoder := json.NewDecoder(bufio.NewReaderSize(in, 1<<20))
	for {
		var e event
		err := decoder.Decode(&e)
		// The API server may be in the middle of writing the last entry, which
		// is from after the span then.
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return out, nil
		}
		if err != nil {
			return asked{}, fmt.Errorf("reading the audit log: %w", err)
		}
		if e.User.Name == user && during.holds(e.At) {
			out.add(e)
		}
	}
}

func (a *asked) add(e event) {
	if e.Object == nil {
		path, _, _ := strings.Cut(e.URI, "?")
		a.requests[e.Verb+" "+path]++
		return
	}
	resource := e.Object.Resource
	if e.Object.APIGroup != "" {
		resource += "." + e.Object.APIGroup
	}
	if e.Object.Subresource != "" {
		resource += "/" + e.Object.Subresource
	}
	a.requests[e.Verb+" "+resource]++
	if e.Object.Subresource != "scale" {
		return
	}
	moments := a.scaled
	if e.Verb == "get" {
		moments = a.looks
	}
	target := e.Object.Namespace + "/" + e.Object.Name
	moments[target] = append(moments[target], e.At)
}

// total is how many requests there were.
func (a *asked) total() int {
	n := 0
	for _, count := range a.requests {
		n += count
	}
	return n
}
