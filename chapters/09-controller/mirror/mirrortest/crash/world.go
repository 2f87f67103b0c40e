package crash

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror/mirrortest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/kube"
)

// World is a group on the API server: four namespaces, one who writes, and a controller that is killed.
type World struct {
	Cluster    *cluster.Cluster
	Set        kubernetes.Interface
	Group      string
	Namespaces []string // the first asks for no mirrors

	t       *testing.T
	foreign map[types.UID]string // what is no mirror, as the user has left it

	// news has one element: a ConfigMap has changed, or a controller has told of a write, since it was taken.
	news chan struct{}

	lock   sync.Mutex // guards writes
	writes []string   // of all controllers that lived, as far as they could tell
}

// New makes a world, which ends with the test.
func New(t *testing.T) *World {
	c := cluster.New(t)
	w := &World{t: t, Cluster: c, Set: kube.Clientset(t, kube.RESTConfig(t, c.Cluster)), Group: c.Namespace,
		Namespaces: []string{c.Namespace}, foreign: map[types.UID]string{}, news: make(chan struct{}, 1)}
	for _, name := range []string{"east", "north", "south"} {
		beside, err := c.Beside(t.Context(), name, map[string]string{mirror.Group: w.Group})
		require.NoError(t, err)
		w.Namespaces = append(w.Namespaces, beside)
	}
	for _, name := range w.Namespaces {
		w.watch(name)
	}
	return w
}

// watch has whoever waits look again when a ConfigMap of a namespace has changed, until the test ends.
func (w *World) watch(namespace string) {
	changes, err := w.Set.CoreV1().ConfigMaps(namespace).Watch(w.t.Context(), metav1.ListOptions{})
	require.NoError(w.t, err)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for range changes.ResultChan() {
			w.tell()
		}
	}()
	w.t.Cleanup(func() { changes.Stop(); <-ended })
}

func (w *World) tell() {
	select {
	case w.news <- struct{}{}:
	default: // it has been told, and nobody has looked yet
	}
}

// Awaits looks whether something holds, and again whenever there is news. It reports false when that takes too long.
func (w *World) Awaits(holds func() bool) bool {
	for end := time.After(Patience); ; {
		if holds() {
			return true
		}
		select {
		case <-w.news:
		case <-end:
			return false
		}
	}
}

// State is what the server has in the world's namespaces.
func (w *World) State() (s mirrortest.State) {
	w.t.Helper()
	for _, name := range w.Namespaces {
		one, err := w.Set.CoreV1().Namespaces().Get(w.t.Context(), name, metav1.GetOptions{})
		require.NoError(w.t, err)
		s.Namespaces = append(s.Namespaces, *one)
		all, err := w.Set.CoreV1().ConfigMaps(name).List(w.t.Context(), metav1.ListOptions{})
		require.NoError(w.t, err)
		s.ConfigMaps = append(s.ConfigMaps, all.Items...)
	}
	return s
}
