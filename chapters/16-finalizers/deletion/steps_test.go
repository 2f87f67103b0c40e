package deletion_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/deletion"
)

// record makes steps that note their names, and fail by them.
func record(fails map[string]error, done *[]string, names ...string) (steps deletion.Steps) {
	for _, name := range names {
		steps = append(steps, deletion.Step{Name: name, Do: func(context.Context, client.Object) error {
			*done = append(*done, name)
			return fails[name]
		}})
	}
	return steps
}

// A step that is not done keeps the next from being begun. Each call begins with the first one.
func TestStepsAreInOrder(t *testing.T) {
	var done []string
	fails := map[string]error{"B": errors.New("no")}
	steps := record(fails, &done, "A", "B", "C")
	result, err := steps.Finalize(t.Context(), going(key))
	require.EqualError(t, err, "clean up web, B: no")
	require.True(t, result.StatusUpdated)
	require.Equal(t, []string{"A", "B"}, done)
	delete(fails, "B")
	result, err = steps.Finalize(t.Context(), going(key))
	require.NoError(t, err)
	require.Zero(t, result, "what was done at once needs no condition")
	require.Equal(t, []string{"A", "B", "A", "B", "C"}, done)
}

// The condition says what is not done, and a call that changes nothing of it says so.
func TestTheCondition(t *testing.T) {
	var done []string
	fails := map[string]error{"B": &deletion.Waiting{For: "the rain to stop"}}
	steps, p := record(fails, &done, "A", "B"), going(key)
	result, err := steps.Finalize(t.Context(), p)
	require.EqualError(t, err, "waits for the rain to stop")
	require.True(t, result.StatusUpdated)
	c := meta.FindStatusCondition(p.Status.Conditions, deletion.ConditionCleanedUp)
	require.Equal(t, "False B waits for the rain to stop", string(c.Status)+" "+c.Reason+" "+c.Message)
	result, err = steps.Finalize(t.Context(), p)
	require.Error(t, err)
	require.False(t, result.StatusUpdated)
	delete(fails, "B")
	result, err = steps.Finalize(t.Context(), p)
	require.NoError(t, err)
	require.True(t, result.StatusUpdated)
	require.True(t, meta.IsStatusConditionTrue(p.Status.Conditions, deletion.ConditionCleanedUp))

	fails["A"] = errors.New("no")
	for _, o := range []client.Object{&v1alpha1.ProcessSet{}, &corev1.ConfigMap{}} {
		result, err = steps.Finalize(t.Context(), o)
		require.Error(t, err)
		_, book := o.(*v1alpha1.ProcessSet)
		require.Equal(t, book, result.StatusUpdated, "%T: what has no conditions says nothing", o)
	}
	require.True(t, slices.Contains(done, "A"))
}
