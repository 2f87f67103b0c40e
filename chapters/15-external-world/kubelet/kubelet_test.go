package kubelet_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet/kubelettest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

func TestWhatLeadsToARun(t *testing.T) {
	changes := kubelet.New(nil, kubelettest.NewMachine(),
		kubelet.Options{Name: kubelettest.Name, Namespace: kubelettest.Namespace}).Changes()
	update := func(change func(*v1alpha1.Process)) bool {
		return changes.Update(event.UpdateEvent{ObjectOld: kubelettest.Process("web"),
			ObjectNew: kubelettest.Process("web", change)})
	}
	require.True(t, changes.Create(event.CreateEvent{Object: kubelettest.Process("web")}))
	require.True(t, changes.Delete(event.DeleteEvent{Object: kubelettest.Process("web")}))
	require.True(t, update(func(p *v1alpha1.Process) { p.Generation = 2 }))
	require.True(t, update(labelled("theirs")), "it is ours no more")
	require.True(t, update(func(p *v1alpha1.Process) { p.UID = "another" }))
	require.True(t, update(func(p *v1alpha1.Process) { p.DeletionTimestamp = &metav1.Time{Time: time.Now()} }))
	require.True(t, update(func(p *v1alpha1.Process) { p.Finalizers = []string{"example.com/somebody"} }))
	require.False(t, update(func(p *v1alpha1.Process) { p.Status.Restarts = 2 }), "the run has written it")
	theirs := kubelettest.Process("web", labelled("theirs"))
	require.False(t, changes.Create(event.CreateEvent{Object: theirs}))
	guarded := kubelet.New(nil, kubelettest.NewMachine(), kubelet.Options{Name: kubelettest.Name,
		Namespace: kubelettest.Namespace, Held: func(client.Object) bool { return true }}).Changes()
	require.True(t, guarded.Create(event.CreateEvent{Object: theirs}), "it is not ours, and it is held")
}

// A name that no label can have is refused before anything is watched: the machine would have no object, and say
// nothing.
func TestAMachinesNameThatIsNoLabel(t *testing.T) {
	set := func(name string) error {
		return kubelet.New(nil, kubelettest.NewMachine(), kubelet.Options{Name: name}).Setup(nil, "process",
			controller.Options{})
	}
	for _, name := range []string{strings.Repeat("n", 64), "north 1", "north/1", "-north"} {
		require.ErrorContains(t, set(name), "give the machine another name", name)
	}
	require.ErrorContains(t, set(""), "a machine needs a name", "each object without the label has that")
}

// A kubelet is busy with an object as long as it knows of a process that lives, or of a start that waits or goes on.
func TestBusy(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		s := kubelettest.NewSite(t, 10*time.Millisecond)
		defer s.Close()
		s.Machine.Behave("slow", kubelettest.Behaviour{Slow: time.Second})
		c := s.Begin(kubelet.Options{}, kubelettest.NewGate(0, false))
		defer c.Stop()
		p := s.Create(kubelettest.Process("web", func(p *v1alpha1.Process) {
			p.Spec.Command, p.Spec.RestartPolicy = "slow", v1alpha1.RestartNever
		}))
		busy := func(uid types.UID) bool { return c.Kubelet.Busy(client.ObjectKeyFromObject(p), uid) }
		require.False(t, busy(p.UID), "nobody has told it of the object")
		pass(500 * time.Millisecond)
		require.True(t, busy(p.UID), "it is being started")
		require.False(t, busy("another"))
		pass(time.Second)
		require.True(t, busy(p.UID), "it runs")
		s.Machine.End(p.UID, 0)
		require.True(t, busy(p.UID), "the news waits for a run")
		pass(soon)
		require.False(t, busy(p.UID))
	})
}

func TestAPauseIsAMinuteAtMost(t *testing.T) {
	for restarts, want := range map[int32]time.Duration{0: time.Second, 1: 2 * time.Second, 5: 32 * time.Second,
		6: time.Minute, 1000: time.Minute, 1 << 30: time.Minute} {
		require.Equal(t, want, kubelet.Backoff(restarts), "%d", restarts)
	}
}
