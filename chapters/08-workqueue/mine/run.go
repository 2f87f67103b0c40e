package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/informer"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// run is what the steps share: an informer, a queue with the reader's pieces, three workers, and one who writes.
type run struct {
	yours    pieces
	patience time.Duration // before it is said of something that it does not come
	limiter  *remembered
	workers  *workers
	informer *informer.SharedIndexInformer
	stopped  func() // stops the informer, and returns when it has
	writer   *writer
	ended    bool // by a stage that is still to be written: no step follows
}

// later is what a stage that is still to be written would do otherwise.
type later string

func (l later) Error() string { return string(l) }

func newRun(yours pieces, patience time.Duration) *run {
	return &run{yours: yours, patience: patience, stopped: func() {}}
}

// part makes a step that has patience, and after which, if it fails, nothing runs on.
func (r *run) part(step func(context.Context, *lab.Lab) error) func(context.Context, *lab.Lab) error {
	return func(ctx context.Context, l *lab.Lab) error {
		ctx, cancel := context.WithTimeoutCause(ctx, r.patience, r.wrong("after %v, not every key was processed as it "+
			"should.", r.patience))
		defer cancel()
		if r.ended {
			l.Say("It comes after stage 2 of 08.1.")
			return nil
		}
		err := step(ctx, l)
		var stage later
		if errors.As(err, &stage) {
			l.Conclude("Stage 2 of 08.1 is still to be written: %s", stage)
			r.ended = true
			return r.stop()
		}
		if err != nil {
			return errors.Join(err, r.stop())
		}
		return nil
	}
}

// start makes the queue and the informer over it.
func (r *run) start(ctx context.Context, l *lab.Lab, stuck ...string) error {
	quiet, err := clientset(l.Server.String(), l.HTTPClient())
	if err != nil {
		return err
	}
	over, err := clientset(l.Server.String(), l.Aloud(l.HTTPClient()))
	if err != nil {
		return err
	}
	r.writer = &writer{on: quiet, aloud: over, namespace: l.Namespace}
	if err := r.writer.begin(ctx, "bread", "soup", "tea"); err != nil {
		return err
	}
	r.informer = informer.New(source(over, l.Namespace), &corev1.ConfigMap{}, informer.Options{Parts: r.yours.parts()})
	queue, limiter := r.yours.queue()
	r.limiter, r.workers = limiter, newWorkers(queue, r.version)
	r.workers.stick(stuck...)
	if _, err := r.informer.AddEventHandler(r.workers.handler()); err != nil {
		return err
	}
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	returned := make(chan struct{})
	r.stopped = func() { cancel(); <-returned }
	go func() { defer close(returned); r.informer.RunWithContext(running) }()
	r.workers.begin()
	return nil
}

// stop ends all that start has started. Who is stuck is released, or nobody would come to an end.
func (r *run) stop() error {
	if r.workers == nil {
		return nil
	}
	w, done := r.workers, make(chan struct{})
	r.workers = nil
	go func() {
		defer close(done)
		w.release()
		r.stopped()
		w.queue.ShutDown()
		w.all.Wait()
	}()
	select {
	case <-done:
		return nil
	case <-time.After(r.patience):
		return r.wrong("the informer was stopped and the queue was shut down, and after %v somebody still works.",
			r.patience)
	}
}

// wrong is an error that says who knows more.
func (r *run) wrong(format string, args ...any) error {
	return errors.New(fmt.Sprintf(format, args...) + "\n" + r.yours.graders())
}

// version is that of an object in the informer's store.
func (r *run) version(item key) string {
	object, exists, err := r.informer.GetStore().GetByKey(item.String())
	if err != nil || !exists {
		return "none"
	}
	return object.(*corev1.ConfigMap).ResourceVersion
}

// until waits for something to be so of a key's record, and looks often.
func (r *run) until(ctx context.Context, name string, so func(record) bool) error {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		now := r.workers.record(name)
		if now.most > 1 {
			if r.yours.sets && !r.yours.waits {
				return later(fmt.Sprintf("%s was with %d workers at once, and a Queue keeps a key back until the worker "+
					"that has it calls Done.", name, now.most))
			}
			return r.wrong("%s was with %d workers at once.", name, now.most)
		}
		if so(now) {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("%w\n%s was added %d times by the handler and processed %d times, and %d workers have it",
				context.Cause(ctx), name, now.adds, len(now.runs), now.now)
		}
	}
}

// settled waits until these keys were processed after the last that was written.
func (r *run) settled(ctx context.Context, names ...string) error {
	for _, name := range names {
		last := r.writer.last[name]
		if err := r.until(ctx, name, func(now record) bool { return now.now == 0 && now.saw == last }); err != nil {
			return err
		}
	}
	return nil
}

// board lines up what was done for each key.
func (r *run) board(l *lab.Lab, names ...string) {
	rows := [][]string{{"", "adds", "runs", "workers now", "most at once"}}
	for _, name := range names {
		now := r.workers.record(name)
		rows = append(rows, []string{name, fmt.Sprint(now.adds), fmt.Sprint(len(now.runs)), fmt.Sprint(now.now),
			fmt.Sprint(now.most)})
	}
	l.Table(rows...)
}

// compare compares what the last run of each key saw with a fresh LIST.
func (r *run) compare(ctx context.Context, l *lab.Lab) error {
	own := metav1.ListOptions{FieldSelector: lab.OwnConfigMaps}
	list, err := r.writer.aloud.CoreV1().ConfigMaps(l.Namespace).List(ctx, own)
	if err != nil {
		return err
	}
	var real, saw []string
	for _, object := range list.Items {
		real = append(real, object.Name+" at "+object.ResourceVersion)
		saw = append(saw, object.Name+" at "+r.workers.record(cache.MetaObjectToName(&object).Name).saw)
	}
	if !slices.Equal(real, saw) {
		return r.wrong("the API server has: %s\nthe last runs saw: %s", strings.Join(real, ", "),
			strings.Join(saw, ", "))
	}
	l.Conclude("The last run of each key saw what a fresh LIST of the server has: %s.", strings.Join(real, ", "))
	return nil
}
