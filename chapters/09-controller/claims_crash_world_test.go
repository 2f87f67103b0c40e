package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror/mirrortest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/kube"
)

// crashWorld is a group on the API server: four namespaces, one who writes, and a controller that is killed.
type crashWorld struct {
	t          *testing.T
	cluster    *cluster.Cluster
	set        kubernetes.Interface
	group      string
	namespaces []string
	foreign    map[types.UID]string // what is no mirror, as the user has left it

	// news has one element: a ConfigMap has changed, or a controller has told of a write, since it was taken.
	news chan struct{}

	lock   sync.Mutex // guards writes
	writes []string   // of all controllers that lived, as far as they could tell
}

func newCrashWorld(t *testing.T) *crashWorld {
	c := cluster.New(t)
	w := &crashWorld{t: t, cluster: c, set: kube.Clientset(t, kube.RESTConfig(t, c.Cluster)), group: c.Namespace,
		namespaces: []string{c.Namespace}, foreign: map[types.UID]string{}, news: make(chan struct{}, 1)}
	for _, name := range []string{"east", "north", "south"} {
		beside, err := c.Beside(t.Context(), name, map[string]string{mirror.Group: w.group})
		require.NoError(t, err)
		w.namespaces = append(w.namespaces, beside)
	}
	for _, name := range w.namespaces {
		w.watch(name)
	}
	return w
}

// watch has whoever waits look again when a ConfigMap of a namespace has changed, until the test ends.
func (w *crashWorld) watch(namespace string) {
	changes, err := w.set.CoreV1().ConfigMaps(namespace).Watch(w.t.Context(), metav1.ListOptions{})
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

func (w *crashWorld) tell() {
	select {
	case w.news <- struct{}{}:
	default: // it has been told, and nobody has looked yet
	}
}

// awaits looks whether something holds, and again whenever there is news. It reports false when that takes too long.
func (w *crashWorld) awaits(holds func() bool) bool {
	for end := time.After(patience); ; {
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

// state is what the server has in the world's namespaces.
func (w *crashWorld) state() (s mirrortest.State) {
	w.t.Helper()
	for _, name := range w.namespaces {
		one, err := w.set.CoreV1().Namespaces().Get(w.t.Context(), name, metav1.GetOptions{})
		require.NoError(w.t, err)
		s.Namespaces = append(s.Namespaces, *one)
		all, err := w.set.CoreV1().ConfigMaps(name).List(w.t.Context(), metav1.ListOptions{})
		require.NoError(w.t, err)
		s.ConfigMaps = append(s.ConfigMaps, all.Items...)
	}
	return s
}

// asks has a namespace ask for mirrors, or not.
func (w *crashWorld) asks(namespace string, asks bool) {
	value := "null"
	if asks {
		value = fmt.Sprintf("%q", w.group)
	}
	patch := fmt.Appendf(nil, `{"metadata":{"labels":{%q:%s}}}`, mirror.Group, value)
	_, err := w.set.CoreV1().Namespaces().Patch(w.t.Context(), namespace, types.MergePatchType, patch,
		metav1.PatchOptions{})
	require.NoError(w.t, err)
}

// put makes a ConfigMap what it should be, whatever it was. A role of "-" has it not even in the group.
func (w *crashWorld) put(namespace, name, role, value string) {
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{}},
		Data: map[string]string{"value": value}}
	if role != "-" {
		object.Labels = map[string]string{mirror.Group: w.group, mirror.Role: role}
	}
	all := w.set.CoreV1().ConfigMaps(namespace)
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

func (w *crashWorld) remove(namespace, name string) {
	all := w.set.CoreV1().ConfigMaps(namespace)
	there, err := all.Get(w.t.Context(), name, metav1.GetOptions{})
	if err == nil {
		delete(w.foreign, there.UID)
		err = all.Delete(w.t.Context(), name, metav1.DeleteOptions{})
	}
	if !apierrors.IsNotFound(err) {
		require.NoError(w.t, err)
	}
}

// write is one write that nobody has planned.
func (w *crashWorld) write(draw *rand.Rand) {
	pick := func(all ...string) string { return all[draw.IntN(len(all))] }
	namespace, name := pick(w.namespaces...), pick("menu", "rules", "soups")
	switch draw.IntN(9) {
	case 0:
		w.asks(namespace, draw.IntN(3) > 0)
	case 1, 2, 3:
		w.put(namespace, name, mirror.Source, fmt.Sprint(draw.IntN(1000)))
	case 4:
		w.put(namespace, name, pick("", "-"), "of somebody")
	case 5:
		w.put(namespace, name, mirror.Mirror, "forged")
	default:
		w.remove(namespace, name)
	}
}

// controller starts one in a process of its own. It ends when it is killed, by itself or by stop, which waits for that.
func (w *crashWorld) controller(l life) (died <-chan struct{}, stop func()) {
	l.Kubeconfig, l.Group = w.cluster.Kubeconfig, w.group
	text, err := json.Marshal(l)
	require.NoError(w.t, err)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+string(text))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	require.NoError(w.t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(w.t, err)
	require.NoError(w.t, cmd.Start())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		w.listen(out)
		_ = cmd.Wait()
	}()
	stop = sync.OnceFunc(func() {
		_ = in.Close()
		<-ended
	})
	w.t.Cleanup(stop)
	return ended, stop
}

func (w *crashWorld) listen(out io.Reader) {
	for lines := bufio.NewScanner(out); lines.Scan(); {
		w.lock.Lock()
		w.writes = append(w.writes, lines.Text())
		w.lock.Unlock()
		w.tell()
	}
}

func (w *crashWorld) wrote() int {
	w.lock.Lock()
	defer w.lock.Unlock()
	return len(w.writes)
}

// patience is how long it may take until all is right: longer than the longest backoff by far.
const patience = 3 * time.Minute

// converges waits until all is as the oracle has it, and says what is not if it does not come to that.
func (w *crashWorld) converges() (problems []string) {
	w.awaits(func() bool {
		problems = w.state().Wrong(w.group)
		return len(problems) == 0
	})
	return problems
}

// touched is what controllers have done to what is not theirs.
func (w *crashWorld) touched() []string {
	return mirrortest.Touched(w.foreign, w.state().Foreign(w.group))
}

// quiet has the controller make writes that are known, and says what it has written besides.
func (w *crashWorld) quiet() string {
	if _, problem := w.marked("first"); problem != "" { // after which it has told of all that it wrote before
		return problem
	}
	before := w.wrote()
	wanted, problem := w.marked("last")
	if problem != "" {
		return problem
	}
	w.lock.Lock()
	defer w.lock.Unlock()
	if got := w.writes[before:]; len(got) != wanted {
		return fmt.Sprintf("all was right, and a source needed %d mirrors more. The controller wrote:\n%s", wanted,
			strings.Join(got, "\n"))
	}
	return ""
}

// marked makes a source, and waits until the controller has told of its mirrors, of which so many are needed.
func (w *crashWorld) marked(name string) (wanted int, problem string) {
	before := w.wrote()
	w.put(w.namespaces[0], name, mirror.Source, "of a test")
	if problems := w.converges(); problems != nil {
		return 0, strings.Join(problems, "\n")
	}
	for _, n := range w.state().Namespaces[1:] {
		if n.Labels[mirror.Group] == w.group {
			wanted++
		}
	}
	if !w.awaits(func() bool { return w.wrote()-before >= wanted }) {
		return 0, fmt.Sprintf("a source needed %d mirrors, and the controller told of %d", wanted, w.wrote()-before)
	}
	return wanted, ""
}
