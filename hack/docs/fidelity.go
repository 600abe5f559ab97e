package main

import (
	"time"

	"github.com/tidemark/tidemark/test/twin"
)

// fidelity lists the scenarios that run in virtual time and on a control plane.
func fidelity() string {
	scenarios, err := twin.All()
	if err != nil {
		panic(err)
	}
	text, err := twin.Document(scenarios, time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC))
	if err != nil {
		panic(err)
	}
	return text
}
