package claims

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
)

// paper is a world on paper: the caches that a run reads, and the server that it writes to, in one. What is written can
// be read at once. It implements mirror.Reader, mirror.Writer and mirror.Relations.
type paper struct {
	asks    map[string]bool
	objects map[mirror.Key]*corev1.ConfigMap
	writes  []string // as in "create b/menu"
	made    int      // versions so far
}

// written is a world with these objects, in which these namespaces ask.
func written(asks []string, objects ...*corev1.ConfigMap) *paper {
	p := &paper{asks: map[string]bool{}, objects: map[mirror.Key]*corev1.ConfigMap{}}
	for _, namespace := range asks {
		p.asks[namespace] = true
	}
	for _, o := range objects {
		p.put(o)
	}
	return p
}

func (p *paper) put(o *corev1.ConfigMap) {
	p.made++
	o = o.DeepCopy()
	o.ResourceVersion = fmt.Sprint(p.made)
	if o.UID == "" {
		o.UID = types.UID(fmt.Sprint("uid-", p.made))
	}
	p.objects[place(o)] = o
}

func place(o *corev1.ConfigMap) mirror.Key { return mirror.Key{Namespace: o.Namespace, Name: o.Name} }

func (p *paper) Asks(namespace string) bool { return p.asks[namespace] }

func (p *paper) Sources(name string) (sources []*corev1.ConfigMap) {
	for _, o := range p.objects {
		if o.Name == name && o.Labels[mirror.Role] == mirror.Source {
			sources = append(sources, o)
		}
	}
	return sources
}

func (p *paper) Get(key mirror.Key) (*corev1.ConfigMap, bool) {
	o, ok := p.objects[key]
	return o, ok
}

func (p *paper) Namespaces(name string) (all []string) {
	for namespace := range p.asks {
		all = append(all, namespace)
	}
	for key, o := range p.objects {
		if key.Name == name && o.Labels[mirror.Role] == mirror.Mirror {
			all = append(all, key.Namespace)
		}
	}
	return all
}

func (p *paper) Names(namespace string) (all []string) {
	for key, o := range p.objects {
		if role := o.Labels[mirror.Role]; role == mirror.Source || role == mirror.Mirror && key.Namespace == namespace {
			all = append(all, key.Name)
		}
	}
	return all
}

func (p *paper) Create(_ context.Context, o *corev1.ConfigMap) error {
	if _, ok := p.objects[place(o)]; ok {
		return apierrors.NewAlreadyExists(schema.GroupResource{Resource: "configmaps"}, o.Name)
	}
	p.writes = append(p.writes, "create "+place(o).String())
	p.put(o)
	return nil
}

func (p *paper) Update(_ context.Context, o *corev1.ConfigMap) error {
	p.writes = append(p.writes, "update "+place(o).String())
	p.put(o)
	return nil
}

func (p *paper) Delete(_ context.Context, key mirror.Key, _ metav1.Preconditions) error {
	p.writes = append(p.writes, "delete "+key.String())
	delete(p.objects, key)
	return nil
}

// run runs for a key until there is nothing to write.
func (p *paper) run(t *testing.T, keys ...mirror.Key) {
	t.Helper()
	for _, key := range keys {
		for before := -1; before < len(p.writes); {
			before = len(p.writes)
			require.NoError(t, mirror.Reconcile(t.Context(), key, p, p))
			require.LessOrEqual(t, len(p.writes), before+1, "a run makes one write at most")
		}
	}
}

// String is what stands where, in order: as in "a/menu=soup b/menu=soup".
func (p *paper) String() string {
	var all []string
	for key, o := range p.objects {
		all = append(all, fmt.Sprintf("%s=%s", key, o.Data["today"]))
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// named are the places that a handler names while something is told to it.
func (p *paper) named(tell func(add func(mirror.Key))) (keys []mirror.Key) {
	tell(func(key mirror.Key) {
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	})
	slices.SortFunc(keys, func(a, b mirror.Key) int { return strings.Compare(a.String(), b.String()) })
	return keys
}

func configMap(namespace, name, role, today string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name,
		Labels: map[string]string{mirror.Group: "paper", mirror.Role: role}}, Data: map[string]string{"today": today}}
}

func source(namespace, name, today string) *corev1.ConfigMap {
	return configMap(namespace, name, mirror.Source, today)
}

// mirrorOf is the mirror of a source in a namespace.
func mirrorOf(o *corev1.ConfigMap, namespace string) *corev1.ConfigMap {
	c := configMap(namespace, o.Name, mirror.Mirror, o.Data["today"])
	c.Annotations = map[string]string{mirror.Of: place(o).String()}
	return c
}

func key(namespace, name string) mirror.Key { return mirror.Key{Namespace: namespace, Name: name} }
