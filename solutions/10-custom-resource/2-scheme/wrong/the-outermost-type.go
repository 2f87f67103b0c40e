// Misconception: a type is filled in when its own fields are.
// Caught by: TestDefaultsOfAProcess
// Message: the belief that a Process is filled in when its own fields are

//go:build wrong

package scheme

func fillProcess(p *Process) {
	if p.Spec.RestartPolicy == "" {
		p.Spec.RestartPolicy = "Always"
	}
	fillSeconds(&p.Spec.GracePeriodSeconds, 10)
}
