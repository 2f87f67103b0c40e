// Misconception: the variable of a range is the element.
// Caught by: TestDefaultsOfAProcess
// Message: the belief that a Process is filled in when its own fields are

//go:build wrong

package scheme

func fillProcess(p *Process) {
	if p.Spec.RestartPolicy == "" {
		p.Spec.RestartPolicy = "Always"
	}
	fillSeconds(&p.Spec.GracePeriodSeconds, 10)
	for _, probe := range p.Spec.Probes {
		fillSeconds(&probe.PeriodSeconds, 5)
	}
}
