package scenario

import (
	"context"
	"errors"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// Uses is the annotation in which an object names the ConfigMaps that it uses, with commas between them. A label could
// name only one, and not all of their names.
const Uses = "scratch.example.com/uses"

// Used is for an index: the names of the ConfigMaps that an object uses.
func Used(o client.Object) []string {
	if names := o.GetAnnotations()[Uses]; names != "" {
		return strings.Split(names, ",")
	}
	return nil
}

// UsersOf is a map function: the ProcessSets that use a ConfigMap, by an index of the cache.
func UsersOf(cached client.Reader) handler.MapFunc {
	return func(ctx context.Context, o client.Object) (keys []reconcile.Request) {
		var all v1alpha1.ProcessSetList
		err := cached.List(ctx, &all, client.InNamespace(o.GetNamespace()), client.MatchingFields{"uses": o.GetName()})
		if err != nil {
			return nil // there is the index, or the controller would not have been made
		}
		for i := range all.Items {
			keys = append(keys, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&all.Items[i])})
		}
		return keys
	}
}

// meta names an object that uses ConfigMaps.
func meta(namespace, name string, uses []string) metav1.ObjectMeta {
	o := metav1.ObjectMeta{Namespace: namespace, Name: name}
	if len(uses) > 0 {
		o.Annotations = map[string]string{Uses: strings.Join(uses, ",")}
	}
	return o
}

// Process is one that uses ConfigMaps.
func Process(namespace, name string, uses ...string) *v1alpha1.Process {
	return &v1alpha1.Process{ObjectMeta: meta(namespace, name, uses), Spec: v1alpha1.ProcessSpec{Command: "sleep"}}
}

// ProcessSet is one of no Processes, so that nobody else makes any, that uses ConfigMaps.
func ProcessSet(namespace, name string, uses ...string) *v1alpha1.ProcessSet {
	selector := map[string]string{"set": name}
	return &v1alpha1.ProcessSet{ObjectMeta: meta(namespace, name, uses), Spec: v1alpha1.ProcessSetSpec{
		Replicas: new(int32), Selector: selector,
		Template: v1alpha1.ProcessTemplate{Labels: selector, Spec: v1alpha1.ProcessSpec{Command: "sleep"}}}}
}

// ConfigMap is one that says what there is today.
func ConfigMap(namespace, name, today string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: meta(namespace, name, nil), Data: map[string]string{"today": today}}
}

// What [Many] makes.
const (
	// Users is how many Processes use one ConfigMap.
	Users = 10
	// First is the label of one in ten Processes.
	First = "first"
	// Label has the name of the ConfigMap, too.
	Label = "uses"
)

// Many makes so many Processes, several at a time. The ConfigMaps that they use need not be there.
func Many(ctx context.Context, over client.Client, namespace string, n int) error {
	return Several(n, func(i int) error { return over.Create(ctx, OneOfMany(namespace, i)) })
}

// Several does something n times, with another number each time, and eight at a time. After an error not all is done.
func Several(n int, do func(i int) error) error {
	const workers = 8
	failed := make(chan error, workers)
	for w := range workers {
		go func() {
			var err error
			for i := w; i < n && err == nil; i += workers {
				err = do(i)
			}
			failed <- err
		}()
	}
	var err error
	for range workers {
		err = errors.Join(err, <-failed)
	}
	return err
}

// OneOfMany is a Process of a size that one may have. Ten in a row use one ConfigMap.
func OneOfMany(namespace string, i int) *v1alpha1.Process {
	name := fmt.Sprintf("config-%d", i/Users)
	p := Process(namespace, fmt.Sprintf("process-%d", i), name)
	p.Labels = map[string]string{Label: name}
	if i%10 == 0 {
		p.Labels[First] = "yes"
	}
	for v := range 12 {
		p.Spec.Env = append(p.Spec.Env, v1alpha1.EnvVar{Name: fmt.Sprintf("VARIABLE_%d", v),
			Value: fmt.Sprintf("what variable %d of process %d is set to", v, i)})
	}
	return p
}
