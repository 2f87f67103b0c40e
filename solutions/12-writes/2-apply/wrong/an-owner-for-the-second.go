// Misconception: who takes a field is another owner.
// Caught by: TestTheControllersOwn
// Message: Points to: the belief that a field owner is the name of a request. It is who has the fields, and what one
// owner said before, another can't take away

//go:build wrong

package apply

import "sigs.k8s.io/controller-runtime/pkg/client"

func options(force bool) []client.ApplyOption {
	all := []client.ApplyOption{client.FieldOwner(Manager)}
	if force {
		all = append(all, client.ForceOwnership, client.FieldOwner(Manager+"/force")) // wrong
	}
	return all
}
