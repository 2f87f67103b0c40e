// Breaks: The RestartPolicy of a Process is Always.
// Caught by: TestDefaultsOfAProcess
// Message: no policy

//go:build wrong

package scheme

func fillProcess(p *Process) {
	fillSeconds(&p.Spec.GracePeriodSeconds, 10)
	for i := range p.Spec.Probes {
		fillSeconds(&p.Spec.Probes[i].PeriodSeconds, 5)
	}
}
