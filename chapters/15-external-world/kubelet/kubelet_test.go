package kubelet_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/event"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet/kubelettest"
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
	require.False(t, update(func(p *v1alpha1.Process) { p.Status.Restarts = 2 }), "the run has written it")
	require.False(t, changes.Create(event.CreateEvent{Object: kubelettest.Process("web", labelled("theirs"))}))
}

func TestAPauseIsAMinuteAtMost(t *testing.T) {
	for restarts, want := range map[int32]time.Duration{0: time.Second, 1: 2 * time.Second, 5: 32 * time.Second,
		6: time.Minute, 1000: time.Minute, 1 << 30: time.Minute} {
		require.Equal(t, want, kubelet.Backoff(restarts), "%d", restarts)
	}
}
