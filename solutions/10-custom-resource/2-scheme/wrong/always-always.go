// Breaks: What is set stays as it is. A pointer that is not nil is set, also to 0.
// Caught by: TestWhatIsSetStays
// Message: {Never, 30 s, a probe each 1 s}

//go:build wrong

package scheme

func fillProcess(p *Process) {
	if p.Spec.RestartPolicy != "OnFailure" {
		p.Spec.RestartPolicy = "Always"
	}
	fillSeconds(&p.Spec.GracePeriodSeconds, 10)
	for i := range p.Spec.Probes {
		fillSeconds(&p.Spec.Probes[i].PeriodSeconds, 5)
	}
}
