// Breaks: The PeriodSeconds of each of its Probes are 5.
// Caught by: TestDefaultsOfAProcess
// Message: a probe each 7 s, a probe each nil

//go:build wrong

package scheme

func fillProcess(p *Process) {
	if p.Spec.RestartPolicy == "" {
		p.Spec.RestartPolicy = "Always"
	}
	fillSeconds(&p.Spec.GracePeriodSeconds, 10)
	for i := range p.Spec.Probes {
		if p.Spec.Probes[i].PeriodSeconds != nil {
			break
		}
		fillSeconds(&p.Spec.Probes[i].PeriodSeconds, 5)
	}
}
