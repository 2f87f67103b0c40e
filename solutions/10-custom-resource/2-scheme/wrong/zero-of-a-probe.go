// Breaks: What is set stays as it is. A pointer that is not nil is set, also to 0.
// Caught by: TestWhatIsSetStays
// Message: the belief that 0 is as good as nothing

//go:build wrong

package scheme

func fillProcess(p *Process) {
	if p.Spec.RestartPolicy == "" {
		p.Spec.RestartPolicy = "Always"
	}
	fillSeconds(&p.Spec.GracePeriodSeconds, 10)
	for i := range p.Spec.Probes {
		if s := p.Spec.Probes[i].PeriodSeconds; s != nil && *s == 0 { // no probe can have that
			p.Spec.Probes[i].PeriodSeconds = nil
		}
		fillSeconds(&p.Spec.Probes[i].PeriodSeconds, 5)
	}
}
