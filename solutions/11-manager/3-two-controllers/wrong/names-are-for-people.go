// Misconception: a name is for people, and need not be one of its own.
// Caught by: TestTheNames
// Message: the belief that a name is for people

//go:build wrong

package two

import (
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

func add(m manager.Manager, note Note) error {
	return builder.ControllerManagedBy(m).Named(note.Name).For(&corev1.ConfigMap{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: 2, SkipNameValidation: new(true)}).
		Complete( // wrong: names are checked
			&keeper{Note: note, client: m.GetClient()})
}
