package convert

import "github.com/tidemark/tidemark/fault"

// keda1 and keda2 are the versions of a ScaledObject, of KEDA 1 and of what came
// after it.
const (
	keda1 = "keda.k8s.io/v1alpha1"
	keda2 = "keda.sh/v1alpha1"
)

// fromKEDA1 converts a ScaledObject of KEDA 1, which has the form of the later ones
// apart from how it names the workload. One that makes Jobs scales no workload.
func fromKEDA1(d *draft) fault.List {
	spec, _ := d.tree["spec"].(map[string]any)
	if spec["scaleType"] == "job" || spec["jobTargetRef"] != nil {
		return fault.List{{Path: "spec.scaleType", Message: "makes Jobs and scales no workload: there is nothing to convert, as with a ScaledJob of KEDA 2"}}
	}
	faults := fromKEDA(d)
	const ref = fault.Path("spec.scaleTargetRef")
	d.carry(ref.Field("deploymentName"), "spec.targetRef.name")
	d.leave("spec.scaleType", "says that a Deployment is scaled, which targetRef does")
	d.drop(ref.Field("containerName"), "is where triggers take variables from, and stays in the ScaledObject")
	if len(d.keptTriggers()) > 0 {
		d.assume("", "what stays with KEDA is written for KEDA 2 (%s): the first version scales Deployments only, and not this object", keda2)
	}
	return faults
}
