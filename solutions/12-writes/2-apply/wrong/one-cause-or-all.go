// Breaks: There may be several, and several of one field, one for each manager that has it.
// Caught by: TestReplicasOfAnother
// Message: Happened: it has ForceOwnership

//go:build wrong

package apply

// settle is what is still wanted after a conflict, and whether to force it.
func settle(want Wanted, fields []string) (still Wanted, force bool) {
	for _, field := range fields {
		if field == ".spec.replicas" {
			want.Replicas = nil
		}
	}
	if len(fields) > 1 || want.Replicas != nil { // wrong
		force = true
	}
	return want, force
}
