// Misconception: equal values of one object may be one variable.
// Caught by: TestPointersAreTheirOwn
// Message: the belief that equal values may be one variable

//go:build wrong

package scheme

func fillProcess(p *Process) {
	if p.Spec.RestartPolicy == "" {
		p.Spec.RestartPolicy = "Always"
	}
	fillSeconds(&p.Spec.GracePeriodSeconds, 10)
	period := int32(5)
	for i := range p.Spec.Probes {
		if p.Spec.Probes[i].PeriodSeconds == nil {
			p.Spec.Probes[i].PeriodSeconds = &period
		}
	}
}
