package explain

import (
	"encoding/json"
	"io"

	"github.com/tidemark/tidemark/scale"
)

// view is the answer as JSON. Its fields are API.
type view struct {
	Name      string    `json:"name,omitempty"`
	Intervals []rowView `json:"intervals"`
}

type rowView struct {
	Replicas int32 `json:"replicas"`
	// Resources are by name.
	Resources map[string]edgeView `json:"resources"`
}

// edgeView holds the ends of an interval. In is left out where the first row
// has no minimum to show.
type edgeView struct {
	Max amountView  `json:"max"`
	In  *amountView `json:"in,omitempty"`
}

// amountView holds exact quantities; those of one pod are rounded up as
// requests are.
type amountView struct {
	PerPod string `json:"perPod"`
	Total  string `json:"total"`
}

func writeJSON(out io.Writer, s subject) error {
	rows, v := rowsOf(s.rules), view{Name: s.name}
	for i := range rows {
		r := rowView{Replicas: rows[i].replicas, Resources: map[string]edgeView{}}
		for _, res := range known(s.rules) {
			e := &rows[i].edges[res]
			shown := edgeView{Max: viewAmount(&rows[i], res, e.max)}
			if e.hasIn {
				shown.In = new(viewAmount(&rows[i], res, e.in))
			}
			r.Resources[res.String()] = shown
		}
		v.Intervals = append(v.Intervals, r)
	}
	return json.NewEncoder(out).Encode(v)
}

func viewAmount(r *row, res scale.Resource, total scale.Amount) amountView {
	return amountView{PerPod: res.Format(r.perPod(total)), Total: res.Format(total)}
}
