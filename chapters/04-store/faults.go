package main

import (
	"context"
	"fmt"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/store"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// shared is -fault shared: a label that the API server never had.
func shared(ctx context.Context, l *lab.Lab) error {
	client, err := clientset(l)
	if err != nil {
		return err
	}
	if err := create(ctx, client, l, "menu", "red"); err != nil {
		return err
	}
	s := newTold(l)
	defer s.reflect(ctx, client)()
	if err := s.waitFor(ctx, 1); err != nil {
		return err
	}
	mine, err := corelisters.NewConfigMapLister(s).ConfigMaps(l.Namespace).Get("menu")
	if err != nil {
		return err
	}
	l.Sent("handOver: menu := lister.ConfigMaps(namespace).Get(menu); menu.Labels[team] = blue")
	mine.Labels["team"] = "blue"
	theirs, err := corelisters.NewConfigMapLister(s).ConfigMaps(l.Namespace).Get("menu")
	if err != nil {
		return err
	}
	l.Wire("billing reads team=%s from the store, at %s", theirs.Labels["team"], theirs.ResourceVersion)
	onServer := client.CoreV1().ConfigMaps(l.Namespace)
	real, err := onServer.Get(ctx, "menu", metav1.GetOptions{})
	if err != nil {
		return err
	}
	l.Wire("the API server has team=%s, at %s", real.Labels["team"], real.ResourceVersion)
	soup := []byte(`{"data":{"soup":"tomato"}}`)
	if _, err := onServer.Patch(ctx, "menu", types.MergePatchType, soup, metav1.PatchOptions{}); err != nil {
		return err
	}
	if err := s.waitFor(ctx, 1); err != nil {
		return err
	}
	theirs, err = corelisters.NewConfigMapLister(s).ConfigMaps(l.Namespace).Get("menu")
	if err != nil {
		return err
	}
	l.Wire("billing reads team=%s from the store, at %s", theirs.Labels["team"], theirs.ResourceVersion)
	l.Conclude("Between two events, everybody in this program read a label that nobody had written to the server. " +
		"The resourceVersion was the same, and no event told of it. Somebody else's soup put it right.")
	return nil
}

// lyingIndex is -fault lying-index: what an index does that is not told.
func lyingIndex(_ context.Context, l *lab.Lab) error {
	for _, im := range both {
		s := im.new(indexers())
		l.Say("%s:", im.name)
		if err := s.Replace(menuAndPrices(), "2"); err != nil {
			return err
		}
		handOver(s)
		l.Became("menu says blue; index: red has %s; blue has %s", inTeam(s, "red"), inTeam(s, "blue"))
		if err := s.Delete(configMap("shop", "menu", "3", nil)); err != nil {
			return err
		}
		ghosts, err := s.ByIndex(teamIndex, "red")
		if err != nil {
			return err
		}
		for _, object := range ghosts {
			if object == nil {
				l.Became("menu is deleted; index: red has prices, and an object that is nil")
			}
		}
	}
	l.Conclude("To take menu out of the index, the store asks the index function where menu is. " +
		"It says blue. The entry under red stays until all is replaced, and whoever reads it gets a nil.")
	return nil
}

// byPrice is an index function that fails where the label is no number.
func byPrice(object any) ([]string, error) {
	price := object.(*corev1.ConfigMap).Labels["price"]
	if _, err := strconv.Atoi(price); err != nil {
		return nil, fmt.Errorf("%q is no number", price)
	}
	return []string{price}, nil
}

// failingIndex is -fault failing-index: what is left behind.
func failingIndex(_ context.Context, l *lab.Lab) error {
	before := configMap("", "menu", "1", map[string]string{"price": "3"})
	after := configMap("", "menu", "2", map[string]string{"price": "three"})
	for _, im := range both {
		s := im.new(cache.Indexers{"price": byPrice})
		if err := s.Add(before); err != nil {
			return err
		}
		l.Sent("%s: Update(menu, price=three)", im.name)
		l.Wire("%s", outcome(func() error { return s.Update(after) }))
		now, _, err := s.GetByKey("menu")
		if err != nil {
			return err
		}
		keys, err := s.IndexKeys("price", "3")
		if err != nil {
			return err
		}
		l.Became("menu has price=%s; the index has %q under 3", now.(*corev1.ConfigMap).Labels["price"], keys)
	}
	l.Conclude("Ours computes all that an update changes before it changes anything, and returns the error. " +
		"client-go's has stored the object when its index function fails, and panics.")
	return nil
}

// outcome is how a call ended, as text.
func outcome(call func() error) (how string) {
	defer func() {
		if p := recover(); p != nil {
			how = fmt.Sprintf("panic: %v", p)
		}
	}()
	if err := call(); err != nil {
		return fmt.Sprintf("error: %v", err)
	}
	return "no error"
}

// emptySets is -fault empty-sets: an index whose sets stay when they are empty, beside the store's.
func emptySets(ctx context.Context, l *lab.Lab) error {
	s := store.New(cache.MetaNamespaceKeyFunc, cache.Indexers{"owner": byLabel("owner")})
	careless := map[string]map[string]bool{} // keys by owner, as one would write it
	rows := [][]string{{"objects that came and went", "still there", "values: careless", "values: the store's"}}
	const came, at, each = 100_000, 10, 25_000
	for i := range came {
		key, owner := fmt.Sprint("job-", i), fmt.Sprint("owner-", i)
		if err := s.Add(configMap("", key, "1", map[string]string{"owner": owner})); err != nil {
			return err
		}
		careless[owner] = map[string]bool{key: true}
		if i >= at {
			gone, itsOwner := fmt.Sprint("job-", i-at), fmt.Sprint("owner-", i-at)
			if err := s.Delete(configMap("", gone, "2", nil)); err != nil {
				return err
			}
			delete(careless[itsOwner], gone)
		}
		if (i+1)%each == 0 {
			rows = append(rows, []string{thousands(i + 1), fmt.Sprint(len(s.ListKeys())),
				thousands(len(careless)), fmt.Sprint(len(s.ListIndexFuncValues("owner")))})
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
		}
	}
	l.Table(rows...)
	everything, err := corelisters.NewConfigMapLister(s).List(labels.Everything())
	if err != nil {
		return err
	}
	l.Conclude("%d objects are left. An index that keeps its empty sets grows with every owner that there ever was: "+
		"the store takes away a set with its last key.", len(everything))
	return nil
}
