package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/store"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// tour is what the steps share.
type tour struct {
	population int // how many objects steps 2 and 3 are about
}

// teamIndex is the name of the index of the label team.
const teamIndex = "team"

// byLabel is an index function: an object's value is that of a label, and without the label it has none.
func byLabel(label string) cache.IndexFunc {
	return func(object any) ([]string, error) {
		if value, has := object.(*corev1.ConfigMap).Labels[label]; has {
			return []string{value}, nil
		}
		return nil, nil
	}
}

// indexers are those of the steps: the one that listers use, and one of teams.
func indexers() cache.Indexers {
	return cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc, teamIndex: byLabel("team")}
}

// implementation makes stores.
type implementation struct {
	name string
	new  func(cache.Indexers) cache.Indexer
}

// both are this chapter's and client-go's.
var both = []implementation{
	{"ours", func(x cache.Indexers) cache.Indexer { return store.New(cache.MetaNamespaceKeyFunc, x) }},
	{"client-go", func(x cache.Indexers) cache.Indexer { return cache.NewIndexer(cache.MetaNamespaceKeyFunc, x) }},
}

// configMap is an object as a store has it.
func configMap(namespace, name, resourceVersion string, labels map[string]string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
		Namespace: namespace, Name: name, ResourceVersion: resourceVersion, Labels: labels}}
}

// clientset is client-go's, whose requests show themselves.
func clientset(l *lab.Lab) (kubernetes.Interface, error) {
	config := &rest.Config{Host: l.Server.String(), QPS: -1,
		ContentConfig: rest.ContentConfig{ContentType: runtime.ContentTypeJSON}}
	return kubernetes.NewForConfigAndClient(config, l.Aloud(l.HTTPClient()))
}

// told is a store that shows what a Reflector writes into it, and says when that is done.
type told struct {
	*store.Store
	lab   *lab.Lab
	wrote chan struct{}
}

func newTold(l *lab.Lab) *told {
	return &told{Store: store.New(cache.MetaNamespaceKeyFunc, indexers()), lab: l, wrote: make(chan struct{}, 100)}
}

func (t *told) Add(object any) error    { return t.one("Add", object, t.Store.Add) }
func (t *told) Update(object any) error { return t.one("Update", object, t.Store.Update) }
func (t *told) Delete(object any) error { return t.one("Delete", object, t.Store.Delete) }

func (t *told) one(call string, object any, write func(any) error) error {
	err := write(object)
	t.lab.Became("%-8s%s; the store is at %s", call, object.(*corev1.ConfigMap).Name, t.LastStoreSyncResourceVersion())
	t.wrote <- struct{}{}
	return err
}

func (t *told) Replace(list []any, resourceVersion string) error {
	err := t.Store.Replace(list, resourceVersion)
	t.lab.Became("Replace %s; the store is at %s", names(t.List()), t.LastStoreSyncResourceVersion())
	t.wrote <- struct{}{}
	return err
}

// waitFor waits until the Reflector has made that many writes.
func (t *told) waitFor(ctx context.Context, writes int) error {
	for range writes {
		select {
		case <-t.wrote:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// reflect has a Reflector keep the store equal to the run's ConfigMaps, until stop is called.
func (t *told) reflect(ctx context.Context, client kubernetes.Interface) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	own := func(o *metav1.ListOptions) { o.FieldSelector = lab.OwnConfigMaps }
	source := cache.NewFilteredListWatchFromClient(
		client.CoreV1().RESTClient(), "configmaps", t.lab.Namespace, own)
	reflector := cache.NewReflectorWithOptions(cache.ToListWatcherWithWatchListSemantics(source, client),
		&corev1.ConfigMap{}, t, cache.ReflectorOptions{})
	done := make(chan struct{})
	go func() { defer close(done); reflector.RunWithContext(ctx) }()
	return func() { cancel(); <-done }
}

// create makes a ConfigMap on the server.
func create(ctx context.Context, client kubernetes.Interface, l *lab.Lab, name, team string) error {
	object := configMap("", name, "", map[string]string{"team": team})
	_, err := client.CoreV1().ConfigMaps(l.Namespace).Create(ctx, object, metav1.CreateOptions{})
	return err
}

// names are the names of objects, in their order.
func names(objects []any) string {
	var all []string
	for _, object := range objects {
		all = append(all, object.(*corev1.ConfigMap).Name)
	}
	if len(all) == 0 {
		return "nothing"
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// inTeam are the names of a team's objects, as the index has them.
func inTeam(s cache.Indexer, team string) string {
	objects, err := s.ByIndex(teamIndex, team)
	if err != nil {
		return err.Error()
	}
	return names(objects)
}

// thousands is a number with a comma in it.
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}
