package kubelet_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet/kubelettest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// on plays something on a site with a controller, in a bubble.
func on(t *testing.T, o kubelet.Options, do func(*testing.T, *kubelettest.Site)) {
	t.Helper()
	onLate(t, 10*time.Millisecond, o, do)
}

// onLate has a cache that is late by so much.
func onLate(t *testing.T, lag time.Duration, o kubelet.Options, do func(*testing.T, *kubelettest.Site)) {
	t.Helper()
	testkit.Bubble(t, func(t *testing.T) {
		s := kubelettest.NewSite(t, lag)
		defer s.Close()
		c := s.Begin(o, kubelettest.NewGate(0, false))
		defer c.Stop()
		do(t, s)
		require.Empty(t, s.Machine.Problems())
	})
}

// pass lets time pass.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// soon is longer than the cache is late, and a window long.
const soon = 500 * time.Millisecond

// condition is one of an object's, as "status reason: message".
func condition(p *v1alpha1.Process, kind string) string {
	c := meta.FindStatusCondition(p.Status.Conditions, kind)
	if c == nil {
		return "none"
	}
	return string(c.Status) + " " + c.Reason + ": " + c.Message
}

func ready(p *v1alpha1.Process) string   { return condition(p, v1alpha1.ConditionReady) }
func stalled(p *v1alpha1.Process) string { return condition(p, v1alpha1.ConditionStalled) }

// policy is a change of a new object.
func policy(is v1alpha1.RestartPolicy) func(*v1alpha1.Process) {
	return func(p *v1alpha1.Process) { p.Spec.RestartPolicy = is }
}

// env is an edit that starts a process anew.
func env(value string) func(*v1alpha1.Process) {
	return func(p *v1alpha1.Process) { p.Spec.Env = []v1alpha1.EnvVar{{Name: "A", Value: value}} }
}

// held is a finalizer: a deletion only begins.
func held(p *v1alpha1.Process) { p.Finalizers = []string{"scratch.example.com/slow"} }

// labelled changes whose the object is.
func labelled(name string) func(*v1alpha1.Process) {
	return func(p *v1alpha1.Process) { metav1.SetMetaDataLabel(&p.ObjectMeta, kubelet.Label, name) }
}
