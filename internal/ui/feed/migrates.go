package feed

import "context"

// Migrates is a feed that sees the objects of other autoscalers.
type Migrates interface {
	// Foreign lists them.
	Foreign(context.Context) (Foreign, error)
	// Move is one of them beside what it is converted to.
	Move(ctx context.Context, id string) (Move, error)
}

// Foreign are the objects of other autoscalers.
type Foreign struct {
	Objects []ForeignObject `json:"objects"`
	// Notes say what is not among them, and why.
	Notes []string `json:"notes"`
}

// ForeignObject is one of them in a line.
type ForeignObject struct {
	// ID is the kind, the namespace and the name.
	ID        string `json:"id"`
	Kind      string `json:"kind"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Target    string `json:"target"`
	// Errors, Warnings and Infos count what lint finds.
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Infos    int `json:"infos"`
	// Verdict is what comparing its decisions with those of the new object comes to;
	// empty where it is not converted.
	Verdict string `json:"verdict"`
	// Lost is how many fields are not carried although they did something.
	Lost int `json:"lost"`
	// With names the objects that become one with it.
	With []string `json:"with,omitempty"`
	// Refused says why it is not converted.
	Refused string `json:"refused,omitempty"`
}

// Move is an object beside what it is converted to.
type Move struct {
	ForeignObject
	YAML      string `json:"yaml"`
	Converted string `json:"converted"`
	// Recommended is what it is converted to in mode Recommend.
	Recommended string    `json:"recommended"`
	Findings    []Finding `json:"findings"`
	Fields      []Field   `json:"fields"`
	// Original says whose decisions stand under old, Words what the comparison comes to.
	Original string `json:"original"`
	Words    string `json:"words"`
	// NotComputed and OneSided are what could not be compared.
	NotComputed []string   `json:"notComputed"`
	OneSided    []string   `json:"oneSided"`
	Rows        []MovedRow `json:"rows"`
}

// Finding is something that lint finds on a line; 0 is none.
type Finding struct {
	Severity string `json:"severity"`
	Line     int    `json:"line"`
	Path     string `json:"path"`
	Message  string `json:"message"`
	Fix      string `json:"fix,omitempty"`
	Rule     string `json:"rule,omitempty"`
}

// Field is what became of a field.
type Field struct {
	Path string `json:"path"`
	Fate string `json:"fate"`
	To   string `json:"to"`
	Note string `json:"note"`
	Lost bool   `json:"lost"`
}

// MovedRow is a load, and what both decide about it. Old is null where that cannot be
// computed.
type MovedRow struct {
	Pods    int32    `json:"pods"`
	Load    string   `json:"load"`
	Old     *int32   `json:"old"`
	New     int32    `json:"new"`
	Differs bool     `json:"differs"`
	Because []string `json:"because"`
}
