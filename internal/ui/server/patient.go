package server

import (
	"net/http"
	"time"
)

// patient is an answer for which there is time until it begins: some take a while to be
// found. Who then reads slowly does not hold it for long; a stream sets the time of each
// of its lines.
type patient struct {
	http.ResponseWriter
	begun bool
}

// begin sets the time that there is to read the answer. Not every writer has deadlines;
// one that has none is a test's.
func (p *patient) begin() {
	if !p.begun {
		p.begun = true
		_ = http.NewResponseController(p.ResponseWriter).SetWriteDeadline(time.Now().Add(patience))
	}
}

// WriteHeader begins the answer.
func (p *patient) WriteHeader(code int) {
	p.begin()
	p.ResponseWriter.WriteHeader(code)
}

// Write begins the answer, or goes on with it.
func (p *patient) Write(data []byte) (int, error) {
	p.begin()
	return p.ResponseWriter.Write(data)
}

// Unwrap is the writer inside, for who sets deadlines.
func (p *patient) Unwrap() http.ResponseWriter { return p.ResponseWriter }
