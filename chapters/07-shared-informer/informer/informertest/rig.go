package informertest

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	"k8s.io/klog/v2/textlogger"
)

// rig is one informer in a bubble, between its collection and its handlers.
type rig struct {
	setup    setup
	source   *source
	informer cache.SharedIndexInformer
	ctx      context.Context // that the informer runs in
	cancel   context.CancelFunc
	running  sync.WaitGroup

	handlers map[string]*handler
	requests int // when they were last asked for
	routines int // when they were last counted

	mu       sync.Mutex
	indexing map[string]int // calls of the index function that are under way, by name
	news     []string       // other than handlers'
}

// quiet keeps what informers log out of the tests' output.
var quiet = textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(io.Discard)))

// indexing is how long a slow index takes for one object.
const indexing = time.Second

func newRig(newInformer New, s setup) *rig {
	r := &rig{setup: s, source: newSource(s.has("streams")),
		handlers: map[string]*handler{}, indexing: map[string]int{}}
	for _, phrase := range s {
		if objects, ok := strings.CutPrefix(phrase, "objects "); ok {
			r.source.change(strings.Fields(objects))
		}
	}
	period, _ := time.ParseDuration(s.value("resync "))
	r.informer = newInformer(r.source.listerWatcher(), &corev1.ConfigMap{}, cache.SharedIndexInformerOptions{
		ResyncPeriod: period, Indexers: cache.Indexers{"given": r.index}})
	r.ctx, r.cancel = context.WithCancel(klog.NewContext(context.Background(), quiet))
	return r
}

// end lets everything go.
func (r *rig) end() {
	for _, h := range r.handlers {
		h.free()
	}
	r.cancel()
	r.running.Wait()
	synctest.Wait()
}

// do does one operation, waits until nothing happens any more, and returns what came of it: what was returned, what
// each handler was told, and what else has happened.
func (r *rig) do(operation string) string {
	fields := strings.Fields(operation)
	came := []string{r.call(fields[0], fields[1:])}
	synctest.Wait()
	for _, name := range slices.Sorted(maps.Keys(r.handlers)) {
		if news := r.handlers[name].look(); news != "" && !r.setup.has("silent") {
			came = append(came, name+" "+news)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	came = append(came, r.news...)
	r.news = nil
	return strings.Join(slices.DeleteFunc(came, func(s string) bool { return s == "" }), "; ")
}

// call makes the call, and returns what it returns. Operations are:
//
//	handler NAME [held] [leaving] [panicking] [[plainly] every DURATION]   adds a handler; plainly: without options
//	remove, shut NAME      removes it; or removes it and waits, in the background
//	step, free NAME        has a held handler return from one call, or from all
//	run, stop              in the background; "run once more" and "run by channel" are what they say
//	change, gap CHANGES    of the collection, that watches hear of or do not: they end, and a minute passes
//	storm NUMBER           changes of a, each after the one before has arrived
//	bookmark               the collection has a version without a change
//	down, up               requests fail meanwhile
//	DURATION               passes
//
// and those in ask.go.
func (r *rig) call(verb string, args []string) string {
	if d, err := time.ParseDuration(verb); err == nil {
		time.Sleep(d + time.Millisecond) // what comes after d has come
		return ""
	}
	switch verb {
	case "handler":
		return r.add(args[0], strings.Join(args[1:], " "))
	case "step":
		select {
		case r.handlers[args[0]].held <- struct{}{}:
		default:
			return "is not being called"
		}
	case "free":
		r.handlers[args[0]].free()
	case "remove", "shut":
		return r.remove(verb, args[0])
	case "run":
		r.run(strings.Join(args, " "))
	case "stop":
		r.cancel()
	case "change":
		r.source.change(args)
	case "gap":
		r.source.gap(args)
		time.Sleep(time.Minute)
	case "storm":
		r.storm(args[0])
	case "bookmark":
		r.source.bookmark()
	case "down", "up":
		r.source.set(verb == "down")
	default:
		return r.ask(verb, args)
	}
	return ""
}

func (r *rig) add(name, how string) string {
	h := r.newHandler(name, how)
	o := r.now(func() (err error) {
		_, text, asks := strings.Cut(how, "every ")
		period, _ := time.ParseDuration(text)
		switch {
		case !asks:
			h.registration, err = r.informer.AddEventHandler(h)
		case strings.Contains(how, "plainly"):
			h.registration, err = r.informer.AddEventHandlerWithResyncPeriod(h, period)
		default:
			h.registration, err = r.informer.AddEventHandlerWithOptions(h,
				cache.HandlerOptions{Logger: &quiet, ResyncPeriod: &period})
		}
		return err
	})
	if o != "ok" {
		return o
	}
	r.handlers[name] = h
	return ""
}

// remove removes a handler, or what no informer has ever made.
func (r *rig) remove(verb, name string) string {
	registration := cache.ResourceEventHandlerRegistration(stranger{})
	if h := r.handlers[name]; h != nil {
		registration = h.registration
	}
	if verb == "remove" {
		return r.now(func() error { return r.informer.RemoveEventHandler(registration) })
	}
	r.running.Go(func() {
		r.tell(name, "has shut down, "+outcome(cache.ShutDownEventHandler(r.informer, registration)))
	})
	return ""
}

// now makes a call that is not to wait for anybody.
func (r *rig) now(call func() error) string {
	returned := make(chan error, 1)
	r.running.Go(func() { returned <- call() })
	synctest.Wait()
	select {
	case err := <-returned:
		return outcome(err)
	default:
		return "waits"
	}
}

// stranger is a registration of no informer.
type stranger struct {
	cache.ResourceEventHandlerRegistration
}

func (r *rig) run(how string) {
	r.running.Go(func() {
		if how == "by channel" {
			r.informer.Run(r.ctx.Done())
		} else {
			r.informer.RunWithContext(r.ctx)
		}
		r.tell("run", "returns")
	})
}

func (r *rig) storm(number string) {
	n, _ := strconv.Atoi(number)
	for i := range n {
		r.source.change([]string{fmt.Sprint("a", i)})
		synctest.Wait()
	}
}

func (r *rig) tell(who, what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.news = append(r.news, who+" "+what)
}
