package scenario

import (
	"context"
	"net/http"
	"net/url"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
)

// Known are the kinds that clients of this chapter know.
func Known() *runtime.Scheme {
	all := runtime.NewScheme()
	utilruntime.Must(clientgoscheme.AddToScheme(all))
	utilruntime.Must(v1alpha1.AddToScheme(all))
	return all
}

// Named is a Process of which nothing is said but its name.
func Named(namespace, name string) *v1alpha1.Process {
	return &v1alpha1.Process{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
}

// Made makes a Process and reads it.
func Made(ctx context.Context, user client.Client, namespace, name string) (*v1alpha1.Process, error) {
	p := Named(namespace, name)
	p.Spec.Command = "sleep"
	if err := user.Create(ctx, p, client.FieldOwner("maker")); err != nil {
		return nil, err
	}
	read := &v1alpha1.Process{}
	return read, user.Get(ctx, client.ObjectKeyFromObject(p), read)
}

// Labelled has somebody else write to a Process that was read.
func Labelled(ctx context.Context, user client.Client, read *v1alpha1.Process) error {
	other := read.DeepCopy()
	other.Labels = map[string]string{"tier": "web"}
	return user.Update(ctx, other, client.FieldOwner("somebody"))
}

// Applied is an apply of these fields to a Process, and of nothing else.
func Applied(name, manager string, spec Object, force bool) writes.Write {
	w := writes.Write{Method: http.MethodPatch, MediaType: string(types.ApplyYAMLPatchType),
		Query: url.Values{"fieldManager": {manager}},
		Body: []byte(scenario.JSON(Object{"apiVersion": "scratch.example.com/v1alpha1", "kind": "Process",
			"metadata": Object{"name": name}, "spec": spec}))}
	if force {
		w.Query.Set("force", "true")
	}
	return w
}
