package explain

import (
	"io"

	"github.com/tidemark/tidemark/internal/replay/plot"
	"github.com/tidemark/tidemark/scale"
)

// writeSVG draws two panels for each resource: how many pods there are, and
// how big each of them is, over the total.
func writeSVG(out io.Writer, s subject) error {
	figure := plot.Figure{Title: "Replicas and requests by total"}
	if s.name != "" {
		figure.Title = s.name + ": replicas and requests by total"
	}
	for _, res := range known(s.rules) {
		up, down := walk(s.rules, res)
		figure.Panels = append(figure.Panels, panels(res, up, down)...)
	}
	return figure.WriteSVG(out)
}

func panels(res scale.Resource, up, down []stop) []plot.Panel {
	unit, size, total := plot.Cores, float64(scale.Thousand), "total cpu"
	if res == scale.Memory {
		unit, size, total = plot.GiB, float64(scale.Thousand)*(1<<30), "total memory"
	}
	lines := func(step bool, y func(stop) float64) []plot.Series {
		points := func(stops []stop) []plot.Point {
			out := make([]plot.Point, len(stops))
			for i, s := range stops {
				out[i] = plot.Point{X: float64(s.total) / size, Y: y(s)}
			}
			return out
		}
		return []plot.Series{
			{Name: "while the total rises", Points: points(up), Step: step},
			{Name: "while it falls", Points: points(down), Step: step, Dashed: true},
		}
	}
	return []plot.Panel{
		{
			Title: "How many pods there are", XLabel: total, YLabel: "replicas", XUnit: unit,
			Series: lines(true, func(s stop) float64 { return float64(s.replicas) }),
		},
		{
			Title: "How big one pod is", XLabel: total, YLabel: res.String() + " per pod", XUnit: unit, YUnit: unit,
			Series: lines(false, func(s stop) float64 { return float64(s.request) / size }),
		},
	}
}
