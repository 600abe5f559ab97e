package record

import "github.com/tidemark/tidemark/fault"

// refuseUnbuilt names the parts of an observation that no stage of this
// version looks at. Accepting them would mean an answer that silently leaves
// out what the document says.
func refuseUnbuilt(faults *fault.List, o *Observation) {
	const message = "not available in this version: remove the field"
	if r := o.Recommendations; r != nil && len(r.Containers) > 0 {
		faults.Add("recommendations.containers", message)
	}
	if o.Learned != nil {
		faults.Add("learned", message)
	}
}
