package claims

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/finalizer"
)

// cleanUp is one for controller-runtime.
type cleanUp func() error

func (c cleanUp) Finalize(context.Context, client.Object) (finalizer.Result, error) {
	return finalizer.Result{}, c()
}

// controller-runtime's collection of finalizers has no order: it is a map, and its clean-ups run as the map gives them.
// One that fails holds none of the others up. So what has to come after something else is a step of one finalizer, and
// no finalizer of its own. It changes the object in memory, and sends nothing.
//
// covers: S0-58 S0-61
func TestFinalizersOfControllerRuntimeHaveNoOrder(t *testing.T) {
	all := finalizer.NewFinalizers()
	var ran, keys []string
	for _, name := range []string{"stop", "archive", "forget"} {
		key := "scratch.example.com/" + name
		keys = append(keys, key)
		require.NoError(t, all.Register(key, cleanUp(func() error {
			if ran = append(ran, name); name == "stop" {
				return errors.New("it runs on")
			}
			return nil
		})))
	}
	first := map[string]bool{}
	for len(first) < len(keys) { // each is the first one at some time
		ran = nil
		now := metav1.Now()
		o := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{DeletionTimestamp: &now, Finalizers: keys}}
		o = o.DeepCopy()
		did, err := all.Finalize(t.Context(), o)
		require.ErrorContains(t, err, `finalizer "scratch.example.com/stop" failed: it runs on`)
		require.True(t, did.Updated)
		require.Equal(t, []string{"scratch.example.com/stop"}, o.Finalizers, "the others have run")
		first[ran[0]] = true
	}

	o := &corev1.ConfigMap{}
	did, err := all.Finalize(t.Context(), o)
	require.NoError(t, err)
	require.True(t, did.Updated, "which the caller is to send")
	require.ElementsMatch(t, keys, o.Finalizers)
}

// controllerutil.RemoveFinalizer moves the names inside of the list that it is given: a copy of the struct alone, such
// as of an object from a cache, has the same list.
//
// covers: S0-58
func TestRemoveFinalizerChangesTheList(t *testing.T) {
	cached := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Finalizers: []string{ours, theirs}}}
	shallow, deep := *cached, cached.DeepCopy()
	require.True(t, controllerutil.RemoveFinalizer(deep, ours))
	require.Equal(t, []string{ours, theirs}, cached.Finalizers)
	require.True(t, controllerutil.RemoveFinalizer(&shallow, ours))
	require.Equal(t, []string{theirs}, shallow.Finalizers)
	require.Equal(t, []string{theirs, theirs}, cached.Finalizers, "as it never was")
}
