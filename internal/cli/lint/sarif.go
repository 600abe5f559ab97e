package lint

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/tidemark/tidemark/internal/cli/version"
	"github.com/tidemark/tidemark/internal/lint"
)

// What follows is the part of SARIF 2.1.0 that code scanning reads.

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool struct {
		Driver sarifDriver `json:"driver"`
	} `json:"tool"`
	Results []sarifResult `json:"results"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	Version        string      `json:"version,omitempty"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID                   string       `json:"id"`
	Name                 string       `json:"name"`
	ShortDescription     sarifText    `json:"shortDescription"`
	FullDescription      sarifText    `json:"fullDescription"`
	Help                 sarifText    `json:"help"`
	HelpURI              string       `json:"helpUri"`
	DefaultConfiguration sarifLevel   `json:"defaultConfiguration"`
	Properties           sarifTagging `json:"properties"`
}

type sarifText struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifLevel struct {
	Level string `json:"level"`
}

type sarifTagging struct {
	Tags     []string `json:"tags"`
	Severity string   `json:"problem.severity"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Fingerprints map[string]string `json:"partialFingerprints"`
}

type sarifLocation struct {
	Physical sarifPhysical  `json:"physicalLocation"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifPhysical struct {
	Artifact struct {
		URI string `json:"uri"`
	} `json:"artifactLocation"`
	Region struct {
		StartLine int `json:"startLine"`
	} `json:"region"`
}

type sarifLogical struct {
	Name string `json:"fullyQualifiedName"`
	Kind string `json:"kind"`
}

// levels are SARIF's words for the severities, problems those of code scanning.
var (
	levels   = map[lint.Severity]string{lint.Error: "error", lint.Warning: "warning", lint.Info: "note"}
	problems = map[lint.Severity]string{lint.Error: "error", lint.Warning: "warning", lint.Info: "recommendation"}
)

const (
	sarifSchema = "https://json.schemastore.org/sarif-2.1.0.json"
	homepage    = "https://github.com/tidemark/tidemark"
	// fingerprint names how fingerprints are made, so that a new way gets a
	// new name.
	fingerprint = "tidemarkLint/v1"
)

// writeSARIF writes the findings for code scanning.
func writeSARIF(w io.Writer, findings []lint.Finding) error {
	run := sarifRun{Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "tidemark-lint", Version: version.Number, InformationURI: homepage}
	index := map[string]int{}
	for i, rule := range lint.Rules() {
		index[rule.ID] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, ruleOf(rule))
	}
	seen := map[string]int{}
	for _, f := range findings {
		run.Results = append(run.Results, resultOf(f, index[f.Rule], seen))
	}
	return encode(w, sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}})
}

func ruleOf(rule lint.Rule) sarifRule {
	return sarifRule{
		ID: rule.ID, Name: rule.Name,
		ShortDescription: sarifText{Text: strings.ReplaceAll(rule.Name, "-", " ")}, FullDescription: sarifText{Text: rule.Why},
		Help:                 sarifText{Text: rule.Why + " " + rule.Fix, Markdown: rule.Why + "\n\n**Fix:** " + rule.Fix},
		HelpURI:              rule.URL(),
		DefaultConfiguration: sarifLevel{levels[rule.Severity]},
		Properties:           sarifTagging{[]string{"kubernetes", "autoscaling"}, problems[rule.Severity]},
	}
}

func resultOf(f lint.Finding, rule int, seen map[string]int) sarifResult {
	message := strings.TrimSpace(f.Path + " " + f.Message)
	if f.Object != "" {
		message = f.Object + ": " + message
	}
	place := sarifLocation{}
	place.Physical.Artifact.URI = address(f)
	place.Physical.Region.StartLine = max(f.Line, 1)
	if f.Object != "" {
		place.Logical = []sarifLogical{{f.Object, "object"}}
	}
	return sarifResult{
		RuleID: f.Rule, RuleIndex: rule, Level: levels[f.Severity], Message: sarifText{Text: message},
		Locations: []sarifLocation{place}, Fingerprints: map[string]string{fingerprint: fingerprintOf(f, seen)},
	}
}

// address is where code scanning shows a finding. It wants a file, so objects
// of a cluster and of standard input get one that tells what they are.
func address(f lint.Finding) string {
	switch {
	case f.File == "":
		return (&url.URL{Path: "cluster/" + f.Object}).EscapedPath()
	case f.File == "-":
		return "stdin"
	case filepath.IsAbs(f.File):
		return (&url.URL{Scheme: "file", Path: f.File}).String()
	}
	return (&url.URL{Path: f.File}).EscapedPath()
}

// fingerprintOf stays the same while lines move. Findings that only lines tell
// apart are counted.
func fingerprintOf(f lint.Finding, seen map[string]int) string {
	key := strings.Join([]string{f.Rule, f.File, f.Object, f.Path}, "\x00")
	seen[key]++
	sum := sha256.Sum256([]byte(key))
	return fmt.Sprintf("%s:%d", hex.EncodeToString(sum[:16]), seen[key])
}
