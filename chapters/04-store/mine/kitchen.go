package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// kitchen is the run's ConfigMaps on the API server, and the reader's indexer that a Reflector keeps equal to them.
type kitchen struct {
	*indexer
	lab     *lab.Lab
	recipes corev1client.ConfigMapInterface
	stop    func()
}

// open starts the Reflector, with two recipes on the server.
func (p pieces) open(ctx context.Context, l *lab.Lab) (*kitchen, error) {
	config := &rest.Config{Host: l.Server.String(), QPS: -1,
		ContentConfig: rest.ContentConfig{ContentType: runtime.ContentTypeJSON}}
	client, err := kubernetes.NewForConfigAndClient(config, l.HTTPClient())
	if err != nil {
		return nil, err
	}
	k := &kitchen{indexer: newIndexer(p), lab: l, recipes: client.CoreV1().ConfigMaps(l.Namespace)}
	err = k.recipes.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{FieldSelector: lab.OwnConfigMaps})
	if err != nil {
		return nil, err
	}
	for name, of := range map[string][]string{"bread": {"flour", "salt"}, "soup": {"leek", "salt"}} {
		if _, err := k.recipes.Create(ctx, recipe(name, of...), metav1.CreateOptions{}); err != nil {
			return nil, err
		}
	}
	own := func(o *metav1.ListOptions) { o.FieldSelector = lab.OwnConfigMaps }
	source := cache.NewFilteredListWatchFromClient(client.CoreV1().RESTClient(), "configmaps", l.Namespace, own)
	reflector := cache.NewReflectorWithOptions(cache.ToListWatcherWithWatchListSemantics(source, client),
		&corev1.ConfigMap{}, k.indexer, cache.ReflectorOptions{})
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() { defer close(done); reflector.RunWithContext(ctx) }()
	k.stop = func() { cancel(); <-done }
	if err := k.reflected(ctx); err != nil {
		k.stop()
		return nil, err
	}
	return k, nil
}

// recipe is a ConfigMap whose data has ingredients.
func recipe(name string, ingredients ...string) *corev1.ConfigMap {
	c := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: map[string]string{}}
	for _, i := range ingredients {
		c.Data[i] = "some"
	}
	return c
}

// write makes one change on the server, shows it, and waits until the Reflector has put it into the indexer.
func (k *kitchen) write(ctx context.Context, verb string, c *corev1.ConfigMap) (err error) {
	with := ""
	if len(c.Data) > 0 {
		with = " with " + strings.Join(slices.Sorted(maps.Keys(c.Data)), ", ")
	}
	k.lab.Sent("%s %s%s", verb, c.Name, with)
	switch verb {
	case "create":
		_, err = k.recipes.Create(ctx, c, metav1.CreateOptions{})
	case "update":
		_, err = k.recipes.Update(ctx, c, metav1.UpdateOptions{})
	case "delete":
		err = k.recipes.Delete(ctx, c.Name, metav1.DeleteOptions{})
	default:
		return fmt.Errorf("there is no write %q", verb)
	}
	if err != nil {
		return err
	}
	return k.reflected(ctx)
}

// reflected waits for a write of the Reflector.
func (k *kitchen) reflected(ctx context.Context) error {
	select {
	case <-k.wrote:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// onServer are the recipes that the API server has.
func (k *kitchen) onServer(ctx context.Context) ([]corev1.ConfigMap, error) {
	list, err := k.recipes.List(ctx, metav1.ListOptions{FieldSelector: lab.OwnConfigMaps})
	if err != nil {
		return nil, err
	}
	return list.Items, nil
}

// changes are what happens to the recipes in steps 1 and 2.
var changes = []struct {
	verb   string
	recipe *corev1.ConfigMap
}{
	{"create", recipe("cake", "flour", "sugar")},
	{"update", recipe("soup", "carrot", "salt")},
	{"delete", recipe("bread")},
	{"create", recipe("bread", "rye")},
	{"update", recipe("cake", "flour")},
}
