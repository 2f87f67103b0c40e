// Misconception: a policy that is none of the three was not set.
// Caught by: TestWhatIsSetStays
// Message: the belief that what is not known was not set.

//go:build wrong

package scheme

func fillProcess(p *Process) {
	switch p.Spec.RestartPolicy {
	case "Always", "OnFailure", "Never":
	default:
		p.Spec.RestartPolicy = "Always"
	}
	fillSeconds(&p.Spec.GracePeriodSeconds, 10)
	for i := range p.Spec.Probes {
		fillSeconds(&p.Spec.Probes[i].PeriodSeconds, 5)
	}
}
