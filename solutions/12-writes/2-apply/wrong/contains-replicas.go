// Misconception: a field with replicas in its path is the replicas.
// Caught by: TestTheControllersOwn
// Message: Happened: in the request .spec.replicas is not there

//go:build wrong

package apply

import "strings"

// settle is what is still wanted after a conflict, and whether to force it.
func settle(want Wanted, fields []string) (still Wanted, force bool) {
	for _, field := range fields {
		if strings.Contains(field, ".spec.replicas") {
			want.Replicas = nil
		} else {
			force = true
		}
	}
	return want, force
}
