// Misconception: who has changed the sidecar had a reason.
// Caught by: TestTheControllersOwn
// Message: Happened: in the request .metadata.annotations.sidecar.scratch.example.com/revision is not there;
// .spec.template.spec.containers[0].env[0].name is not there; .spec.template.spec.containers[0].env[0].value is not
// there; and 4 more

//go:build wrong

package apply

// settle is what is still wanted after a conflict, and whether to force it.
func settle(want Wanted, fields []string) (still Wanted, force bool) {
	for _, field := range fields {
		if field == ".spec.replicas" {
			want.Replicas = nil
		} else {
			want.Image = "" // wrong
		}
	}
	return want, force
}
