package crash

import (
	"fmt"
	"math/rand/v2"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
)

// asks has a namespace ask for mirrors, or not.
func (w *World) asks(namespace string, asks bool) {
	value := "null"
	if asks {
		value = fmt.Sprintf("%q", w.Group)
	}
	patch := fmt.Appendf(nil, `{"metadata":{"labels":{%q:%s}}}`, mirror.Group, value)
	_, err := w.Set.CoreV1().Namespaces().Patch(w.t.Context(), namespace, types.MergePatchType, patch,
		metav1.PatchOptions{})
	require.NoError(w.t, err)
}

// Put makes a ConfigMap what it should be, whatever it was. A role of "-" has it not even in the group.
func (w *World) Put(namespace, name, role, value string) {
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{}},
		Data: map[string]string{"value": value}}
	if role != "-" {
		object.Labels = map[string]string{mirror.Group: w.Group, mirror.Role: role}
	}
	all := w.Set.CoreV1().ConfigMaps(namespace)
	for {
		made, err := all.Update(w.t.Context(), object, metav1.UpdateOptions{})
		if apierrors.IsNotFound(err) {
			made, err = all.Create(w.t.Context(), object, metav1.CreateOptions{})
		}
		if apierrors.IsAlreadyExists(err) {
			continue // the controller was quicker
		}
		require.NoError(w.t, err)
		delete(w.foreign, made.UID)
		if role != mirror.Mirror {
			w.foreign[made.UID] = fmt.Sprintf("%s/%s at resourceVersion %s", namespace, name, made.ResourceVersion)
		}
		return
	}
}

// Remove deletes a ConfigMap, if it is there.
func (w *World) Remove(namespace, name string) {
	all := w.Set.CoreV1().ConfigMaps(namespace)
	there, err := all.Get(w.t.Context(), name, metav1.GetOptions{})
	if err == nil {
		delete(w.foreign, there.UID)
		err = all.Delete(w.t.Context(), name, metav1.DeleteOptions{})
	}
	if !apierrors.IsNotFound(err) {
		require.NoError(w.t, err)
	}
}

// Write is one write that nobody has planned.
func (w *World) Write(draw *rand.Rand) {
	pick := func(all ...string) string { return all[draw.IntN(len(all))] }
	namespace, name := pick(w.Namespaces...), pick("menu", "rules", "soups")
	switch draw.IntN(9) {
	case 0:
		w.asks(namespace, draw.IntN(3) > 0)
	case 1, 2, 3:
		w.Put(namespace, name, mirror.Source, fmt.Sprint(draw.IntN(1000)))
	case 4:
		w.Put(namespace, name, pick("", "-"), "of somebody")
	case 5:
		w.Put(namespace, name, mirror.Mirror, "forged")
	default:
		w.Remove(namespace, name)
	}
}
