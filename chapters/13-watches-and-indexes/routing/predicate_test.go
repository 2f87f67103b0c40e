package routing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/routing"
)

// What each predicate lets pass of the updates that an API server makes.
func TestWhatPasses(t *testing.T) {
	before := &v1alpha1.Process{ObjectMeta: metav1.ObjectMeta{ResourceVersion: "1", Generation: 1}}
	for _, c := range []struct {
		what   string
		change func(*v1alpha1.Process)
		passes string // of the four, each with its first letter
	}{
		{"a resync", func(*v1alpha1.Process) {}, "----"},
		{"the status", func(p *v1alpha1.Process) { p.ResourceVersion = "2" }, "R---"},
		{"the spec", func(p *v1alpha1.Process) { p.ResourceVersion, p.Generation = "2", 2 }, "RG--"},
		{"a label", func(p *v1alpha1.Process) {
			p.ResourceVersion, p.Labels = "2", map[string]string{"a": "b"}
		}, "R-L-"},
		{"an annotation", func(p *v1alpha1.Process) {
			p.ResourceVersion, p.Annotations = "2", map[string]string{"a": "b"}
		}, "R--A"},
		{"that it is to be deleted", func(p *v1alpha1.Process) {
			p.ResourceVersion, p.Generation, p.DeletionTimestamp = "2", 2, ptr.To(metav1.NewTime(time.Now()))
		}, "RG--"},
	} {
		after := before.DeepCopy()
		c.change(after)
		got := ""
		for i, p := range []predicate.Predicate{routing.ResourceVersionChanged(), routing.GenerationChanged(),
			routing.LabelChanged(), routing.AnnotationChanged()} {
			if p.Update(event.UpdateEvent{ObjectOld: before, ObjectNew: after}) {
				got += "RGLA"[i : i+1]
			} else {
				got += "-"
			}
			require.True(t, p.Create(event.CreateEvent{Object: after}))
			require.True(t, p.Delete(event.DeleteEvent{Object: after}))
			require.False(t, p.Update(event.UpdateEvent{ObjectNew: after}), "of one object nothing has changed")
		}
		require.Equal(t, c.passes, got, c.what)
	}
}

// The next predicate is not asked when the answer is known.
func TestTheFirstAnswerThatDecidesIsTheLast(t *testing.T) {
	var asked int
	counts := func(answer bool) predicate.Predicate {
		return routing.Funcs{CreateFunc: func(event.CreateEvent) bool { asked++; return answer }}
	}
	e := event.CreateEvent{Object: client.Object(cup("1"))}
	require.False(t, routing.And(counts(true), counts(false), counts(true)).Create(e))
	require.Equal(t, 2, asked)
	asked = 0
	require.True(t, routing.Or(counts(false), counts(true), counts(true)).Create(e))
	require.Equal(t, 2, asked)
}
