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
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// patience is how long something may take that takes milliseconds, before it is said that it does not come.
const patience = 10 * time.Second

// kitchen is the run's ConfigMaps on the API server, and what a program has of them: a queue that a Reflector writes
// into, and the store behind it.
type kitchen struct {
	lab      *lab.Lab
	client   *rest.RESTClient
	exercise string // whose grader says more
	store    cache.Store
	gone     func(list []any) ([]cache.DeletedFinalStateUnknown, error)

	queue   queue
	arrived chan error // what each call of the Reflector returned
	stop    func() error
	came    []string     // out of the queue, so far
	during  func() error // once, while process runs
}

func stopped() error { return nil }

// open makes a kitchen with bread and soup on the server, and without a queue.
func (p pieces) open(ctx context.Context, l *lab.Lab, exercise string) (*kitchen, error) {
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		return nil, err
	}
	config := &rest.Config{Host: l.Server.String(), APIPath: "/api", QPS: -1}
	config.GroupVersion, config.ContentType = &corev1.SchemeGroupVersion, runtime.ContentTypeJSON
	config.NegotiatedSerializer = serializer.NewCodecFactory(scheme).WithoutConversion()
	client, err := rest.RESTClientForConfigAndClient(config, l.HTTPClient())
	if err != nil {
		return nil, err
	}
	k := &kitchen{lab: l, client: client, exercise: exercise, arrived: make(chan error, 100), stop: stopped,
		store: cache.NewStore(cache.DeletionHandlingMetaNamespaceKeyFunc)}
	k.gone = func(list []any) ([]cache.DeletedFinalStateUnknown, error) {
		return p.gone()(nil, k.store, list, cache.MetaNamespaceKeyFunc)
	}
	err = k.all(k.client.Delete()).Do(ctx).Error() // what an earlier step has left
	return k, errors.Join(err, k.change(ctx, "create", "bread"), k.change(ctx, "create", "soup"))
}

func (k *kitchen) all(r *rest.Request) *rest.Request {
	own := &metav1.ListOptions{FieldSelector: lab.OwnConfigMaps}
	return r.Namespace(k.lab.Namespace).Resource("configmaps").VersionedParams(own, metav1.ParameterCodec)
}

// change makes a change on the server, and shows it.
func (k *kitchen) change(ctx context.Context, verb, name string) error {
	k.lab.Sent("%s %s", verb, name)
	c := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}
	c.Data = map[string]string{"at": time.Now().String()}
	r, one := k.client.Delete(), name
	switch verb {
	case "create":
		r, one = k.client.Post().Body(c), ""
	case "update":
		r = k.client.Put().Body(c)
	}
	r = r.Namespace(k.lab.Namespace).Resource("configmaps")
	if one != "" {
		r = r.Name(one)
	}
	return r.Do(ctx).Error()
}

// changes makes changes such as "create cake" that the Reflector writes into the queue, one after the other.
func (k *kitchen) changes(ctx context.Context, all ...string) error {
	for _, change := range all {
		verb, name, _ := strings.Cut(change, " ")
		if err := k.change(ctx, verb, name); err != nil {
			return err
		}
		if err := k.told(ctx); err != nil {
			return err
		}
	}
	return nil
}

// unseen makes changes while no Reflector runs.
func (k *kitchen) unseen(ctx context.Context, all ...string) error {
	k.lab.Say("The Reflector stops.")
	if err := k.stop(); err != nil {
		return err
	}
	for _, change := range all {
		verb, name, _ := strings.Cut(change, " ")
		if err := k.change(ctx, verb, name); err != nil {
			return err
		}
	}
	k.lab.Say("Another Reflector begins, with a list.")
	return k.reflect(ctx)
}

// reflect starts a Reflector, and waits until it has brought a list.
func (k *kitchen) reflect(ctx context.Context) error {
	own := func(o *metav1.ListOptions) { o.FieldSelector = lab.OwnConfigMaps }
	source := cache.NewFilteredListWatchFromClient(k.client, "configmaps", k.lab.Namespace, own)
	reflector := cache.NewReflectorWithOptions(source, &corev1.ConfigMap{}, heard{k.queue, k.arrived},
		cache.ReflectorOptions{})
	running, cancel := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { reflector.RunWithContext(running); done <- nil }()
	k.stop = func() error {
		cancel()
		k.stop = stopped
		return k.await(ctx, done, patience, "the Reflector does not stop: a call of your queue has not returned")
	}
	return k.told(ctx)
}

// close ends what is still running.
func (k *kitchen) close() { _ = k.stop() }

// told waits for a call of the Reflector.
func (k *kitchen) told(ctx context.Context) error {
	return k.await(ctx, k.arrived, patience, "the Reflector has an event for the queue, and it has not taken it")
}

// await waits for something that comes soon.
func (k *kitchen) await(ctx context.Context, done <-chan error, limit time.Duration, otherwise string) error {
	select {
	case err := <-done:
		return err
	case <-time.After(limit):
		return k.wrong("%s after %v", otherwise, limit)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// wrong is an error that says who knows more.
func (k *kitchen) wrong(format string, args ...any) error {
	return fmt.Errorf(format+"\nmake grade EX="+k.exercise+" says more.", args...)
}

// sameAsServer compares the store with a fresh LIST.
func (k *kitchen) sameAsServer(ctx context.Context) error {
	list := &corev1.ConfigMapList{}
	if err := k.all(k.client.Get()).Do(ctx).Into(list); err != nil {
		return err
	}
	var real, stored []string
	for i := range list.Items {
		real = append(real, version(&list.Items[i]))
	}
	for _, object := range k.store.List() {
		stored = append(stored, version(object))
	}
	slices.Sort(real)
	slices.Sort(stored)
	if !slices.Equal(real, stored) {
		return k.wrong("the API server has: %s\nbehind your queue, the store has: %s",
			strings.Join(real, ", "), strings.Join(stored, ", "))
	}
	k.lab.Conclude("The store is what a fresh LIST of the server has: %s.", strings.Join(stored, ", "))
	return nil
}

func version(object any) string {
	c, ok := object.(*corev1.ConfigMap)
	if !ok {
		return fmt.Sprintf("a %T", object)
	}
	return c.Name + " at " + c.ResourceVersion
}

// heard is a queue that tells when a call of the Reflector has returned.
type heard struct {
	queue
	arrived chan<- error
}

func (h heard) tell(err error) error {
	h.arrived <- err
	return err
}

// Add implements cache.ReflectorStore, as do the next three.
func (h heard) Add(object any) error { return h.tell(h.queue.Add(object)) }

func (h heard) Update(object any) error { return h.tell(h.queue.Update(object)) }

func (h heard) Delete(object any) error { return h.tell(h.queue.Delete(object)) }

func (h heard) Replace(list []any, version string) error {
	return h.tell(h.queue.Replace(list, version))
}
