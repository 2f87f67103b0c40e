// Breaks: Its GracePeriodSeconds are 10.
// Caught by: TestDefaultsOfAProcess
// Message: {Always, nil}

//go:build wrong

package scheme

func fillProcess(p *Process) {
	if p.Spec.RestartPolicy == "" {
		p.Spec.RestartPolicy = "Always"
	}
	if p.Spec.GracePeriodSeconds != nil {
		fillSeconds(&p.Spec.GracePeriodSeconds, 10)
	}
	for i := range p.Spec.Probes {
		fillSeconds(&p.Spec.Probes[i].PeriodSeconds, 5)
	}
}
