package mirrortest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/pipe"
)

// group is the controller's.
const group = "test"

// enough is how long a world is left to itself before it has to be right: longer than the longest backoff.
const enough = 5 * time.Minute

var (
	errGiveUp = errors.New("the script ends here") // because something went wrong
	errRunsOn = errors.New("it still runs an hour after its context has ended")
)

// World is a server in memory, a user and a controller.
type World struct {
	user
	wire     *wire
	problems []string

	t          *testing.T
	controller Controller
	config     *rest.Config
	stopServer func()
	stop       func() error // the controller, if it runs
	untouched  map[types.UID]string
}

func newWorld(t *testing.T, controller Controller) *World {
	namespaced := apiserver.Resource{Version: "v1", Plural: "namespaces", Kind: "Namespace", ClusterScoped: true,
		AddToScheme: corev1.AddToScheme}
	handler := apiserver.New(storage.New(storage.Options{}), apiserver.Options{WatchTimeout: 1000 * time.Hour},
		apiserver.ConfigMaps, namespaced)
	transport, stop := pipe.Serve(handler)
	config := &rest.Config{Host: "http://memory", QPS: -1,
		ContentConfig: rest.ContentConfig{ContentType: runtime.ContentTypeJSON}}
	set, err := kubernetes.NewForConfigAndClient(config, &http.Client{Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	w := &World{wire: newWire(transport), t: t, controller: controller, config: config, stopServer: stop}
	w.user = user{ctx: t.Context(), set: set, fail: func(err error) { w.wrong("the user: %v", err) }}
	return w
}

// wrong notes a problem, and ends the script.
func (w *World) wrong(format string, args ...any) {
	w.problems = append(w.problems, fmt.Sprintf(format, args...))
	panic(errGiveUp)
}

// start starts a controller.
func (w *World) start() {
	ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
	ended := make(chan error, 1)
	go func() { ended <- w.controller(ctx, w.config, &http.Client{Transport: w.wire}, group) }()
	w.stop = sync.OnceValue(func() error {
		cancel()
		select {
		case err := <-ended:
			return err
		case <-time.After(time.Hour):
			return errRunsOn
		}
	})
}

// kill stops the controller.
func (w *World) kill() {
	if err := w.stop(); err != nil {
		w.wrong("the controller was stopped: %v", err)
	}
}

// end ends everything.
func (w *World) end() {
	for _, g := range w.wire.gates {
		g.release()
	}
	if w.stop != nil {
		if err := w.stop(); err != nil && len(w.problems) == 0 {
			w.problems = append(w.problems, "the controller was stopped: "+err.Error())
		}
	}
	w.stopServer()
}

// pass lets time pass, which is virtual, and then nothing moves.
func (w *World) pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// state is what the server has.
func (w *World) state() State {
	all, err := w.set.CoreV1().ConfigMaps("").List(w.ctx, metav1.ListOptions{})
	w.check(err)
	those, err := w.set.CoreV1().Namespaces().List(w.ctx, metav1.ListOptions{})
	w.check(err)
	return State{Namespaces: those.Items, ConfigMaps: all.Items}
}

// mark remembers what there is of others, which the user does not touch until the next converged. Of what the user has
// just written it is told: a controller that is quick may have made it its own by now.
func (w *World) mark(written ...*corev1.ConfigMap) {
	state := w.state()
	w.untouched = state.Foreign(group)
	state.ConfigMaps = nil
	for _, c := range written {
		state.ConfigMaps = append(state.ConfigMaps, *c)
	}
	maps.Copy(w.untouched, state.Foreign(group))
}

// converged lets enough time pass, and says what is wrong then. After that nothing is to be written any more, and
// nothing that is marked has been.
func (w *World) converged(what string) {
	w.pass(enough)
	state := w.state()
	if problems := state.Wrong(group); len(problems) > 0 {
		w.wrong("%s, and %v later:\n\t%s\nThe controller's writes: %s", what, enough, strings.Join(problems, "\n\t"), w.last())
	}
	if problems := Touched(w.untouched, state.Foreign(group)); len(problems) > 0 {
		w.wrong("%s, and the controller touched what is not its own:\n\t%s\nIts writes: %s", what,
			strings.Join(problems, "\n\t"), w.last())
	}
	w.untouched = nil
	before := len(w.succeeded())
	w.pass(enough)
	if more := w.succeeded()[before:]; len(more) > 0 {
		w.wrong("%s, and all is as it should be, and the controller writes on: %d writes in %v, the last of them %s", what,
			len(more), enough, more[len(more)-1])
	}
}

// succeeded are the writes that the server has accepted.
func (w *World) succeeded() []string {
	return slices.DeleteFunc(w.wire.wrote(), func(s string) bool {
		return !strings.HasSuffix(s, ": 200") && !strings.HasSuffix(s, ": 201")
	})
}

// last are the last writes.
func (w *World) last() string {
	all := w.wire.wrote()
	if len(all) > 10 {
		all = append([]string{fmt.Sprintf("%d, the last of them", len(all))}, all[len(all)-10:]...)
	}
	if len(all) == 0 {
		return "none"
	}
	return strings.Join(all, ", ")
}
