package mutation_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/store"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/store/mutation"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// guarded is a store of ConfigMaps under watch.
func guarded(t *testing.T, d *mutation.Detector, objects ...any) *mutation.Guarded {
	t.Helper()
	g := d.Guard(store.New(cache.MetaNamespaceKeyFunc,
		cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}))
	require.NoError(t, g.Replace(objects, "1"))
	return g
}

func configMap(name, color string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, ResourceVersion: "7",
			Labels: map[string]string{"color": color}},
		Data: map[string]string{"cups": "1"},
	}
}

// countBlack and paintRed receive the same object; the second writes to it.
func countBlack(g *mutation.Guarded) int {
	list, _ := corelisters.NewConfigMapLister(g).List(labels.SelectorFromSet(labels.Set{"color": "black"}))
	return len(list)
}

func paintRed(g *mutation.Guarded) {
	object, _ := corelisters.NewConfigMapLister(g).ConfigMaps("default").Get("a")
	object.Labels["color"] = "red"
}

func TestNamesObjectFieldsAndCallSites(t *testing.T) {
	d := &mutation.Detector{Name: "configmaps"}
	g := guarded(t, d, configMap("a", "black"), configMap("b", "black"))
	require.Equal(t, 2, countBlack(g))
	require.Empty(t, d.Check(), "both are intact")
	paintRed(g)

	found := d.Check()
	require.Len(t, found, 1)
	require.Equal(t, "default/a", found[0].Key)
	require.Equal(t, []mutation.Field{{Path: "metadata.labels[color]", Was: `"black"`, Is: `"red"`}}, found[0].Fields)
	require.Len(t, found[0].Received, 1)
	require.Contains(t, found[0].Received[0].Function, "mutation_test.paintRed", "and not the lister")
	require.Len(t, found[0].Earlier, 1)
	require.Contains(t, found[0].Earlier[0].String(), "mutation_test.countBlack (mutation_test.go:")
	require.Contains(t, found[0].String(), "cannot be known")
	require.Empty(t, d.Check(), "a change is told once")
}

// What the cache's writer does is no mutation: another version is another object.
func TestUpdatesAreNoMutations(t *testing.T) {
	d := &mutation.Detector{}
	g := guarded(t, d, configMap("a", "black"))
	g.List()
	require.NoError(t, g.Update(configMap("a", "red")))
	require.Nil(t, g.Transaction(cache.Transaction{Type: cache.TransactionTypeUpdate, Object: configMap("a", "green")}))
	require.NoError(t, g.Delete(configMap("a", "green")))
	require.NoError(t, g.Add(configMap("a", "blue")))
	require.Empty(t, d.Check())
}

// Each way to put an object in has it watched, and each way to get one out has the caller remembered.
func TestEveryWayInAndOut(t *testing.T) {
	put := map[string]func(*mutation.Guarded, *corev1.ConfigMap) error{
		"Add":     func(g *mutation.Guarded, c *corev1.ConfigMap) error { return g.Add(c) },
		"Update":  func(g *mutation.Guarded, c *corev1.ConfigMap) error { return g.Update(c) },
		"Replace": func(g *mutation.Guarded, c *corev1.ConfigMap) error { return g.Replace([]any{c}, "2") },
		"Transaction": func(g *mutation.Guarded, c *corev1.ConfigMap) error {
			if err := g.Transaction(cache.Transaction{Type: cache.TransactionTypeAdd, Object: c}); err != nil {
				return err
			}
			return nil
		},
	}
	for name, in := range put {
		d := &mutation.Detector{}
		g, object := guarded(t, d), configMap("a", "black")
		require.NoError(t, in(g, object))
		object.Data["cups"] = "2" // by the writer itself: nobody else has it
		found := d.Check()
		require.Len(t, found, 1, name)
		require.Empty(t, found[0].Received, name)
	}
	get := map[string]func(*mutation.Guarded) any{
		"Get":      func(g *mutation.Guarded) any { o, _, _ := g.Get(configMap("a", "")); return o },
		"GetByKey": func(g *mutation.Guarded) any { o, _, _ := g.GetByKey("default/a"); return o },
		"List":     func(g *mutation.Guarded) any { return g.List()[0] },
		"Index": func(g *mutation.Guarded) any {
			l, _ := g.Index(cache.NamespaceIndex, configMap("x", ""))
			return l[0]
		},
		"ByIndex": func(g *mutation.Guarded) any { l, _ := g.ByIndex(cache.NamespaceIndex, "default"); return l[0] },
	}
	for name, out := range get {
		d := &mutation.Detector{}
		g := guarded(t, d, configMap("a", "black"))
		out(g).(*corev1.ConfigMap).Data["cups"] = "2"
		found := d.Check()
		require.Len(t, found, 1, name)
		require.Len(t, found[0].Received, 1, name)
	}
}

func TestFields(t *testing.T) {
	was := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "a", Finalizers: []string{"x"}},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "one",
			Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{"cpu": resource.MustParse("1500m")}}}}},
	}
	d := &mutation.Detector{}
	g := guarded(t, d, was)
	was.Spec.Containers[0].Image = "two"
	was.Finalizers = nil
	was.Annotations = map[string]string{}
	limits := was.Spec.Containers[0].Resources.Limits
	limits["cpu"] = resource.MustParse("2")
	var paths []string
	for _, f := range d.Check()[0].Fields {
		paths = append(paths, f.String())
	}
	require.ElementsMatch(t, []string{
		`metadata.annotations: null -> {}`, `metadata.finalizers: ["x"] -> null`,
		`spec.containers[0].image: "one" -> "two"`, `spec.containers[0].resources.limits[cpu]: "1500m" -> "2"`,
	}, paths)

	free := &unstructured.Unstructured{Object: map[string]any{
		"metadata": map[string]any{"name": "u"}, "spec": int64(1)}}
	require.NoError(t, g.Add(free))
	free.Object["spec"] = int64(2)
	require.Equal(t, "Object[spec]: 1 -> 2", d.Check()[0].Fields[0].String())
}

// A Quantity keeps its text when it is printed for the first time: its bytes change, and it does not.
func TestPrintingIsNoMutation(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "a"}, Spec: corev1.PodSpec{Overhead: corev1.ResourceList{
		"cpu": *resource.NewMilliQuantity(1500, resource.DecimalSI)}}}
	d := &mutation.Detector{}
	guarded(t, d, pod)
	q := pod.Spec.Overhead["cpu"]
	require.Equal(t, "1500m", q.String())
	pod.Spec.Overhead["cpu"] = q
	require.Empty(t, d.Check())
}

// An object that the cache has dropped is watched for a while, since somebody may hold it; then it is let go.
func TestDroppedObjects(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &mutation.Detector{}
		object := configMap("a", "black")
		g := guarded(t, d, object)
		require.NoError(t, g.Delete(object))
		require.Empty(t, d.Check())
		time.Sleep(time.Minute)
		object.Labels["color"] = "red"
		require.Len(t, d.Check(), 1)
		time.Sleep(time.Minute)
		require.Empty(t, d.Check())
		object.Labels["color"] = "green"
		require.Empty(t, d.Check(), "two minutes after the cache dropped it")
	})
}

func TestRunTellsOrPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := make(chan mutation.Mutation, 1)
		d := &mutation.Detector{Name: "configmaps", OnMutation: func(m mutation.Mutation) { told <- m }}
		g := guarded(t, d, configMap("a", "black"))
		stop, done := make(chan struct{}), make(chan struct{})
		paintRed(g) // before Run looks: at the same time it would be a race
		go func() { d.Run(stop); close(done) }()
		require.Equal(t, "default/a", (<-told).Key)
		close(stop)
		<-done

		d.OnMutation = nil
		g.List()[0].(*corev1.ConfigMap).Labels["color"] = "green"
		require.Panics(t, func() { d.Run(stop) }, "it looks once more at its end")
	})
}

// What is no pointer to an API object is left alone.
func TestOtherObjects(t *testing.T) {
	d := &mutation.Detector{}
	d.AddObject(nil)
	d.AddObject((*corev1.ConfigMap)(nil))
	d.AddObject("a string")
	d.AddObject(cache.DeletedFinalStateUnknown{Key: "a", Obj: configMap("a", "black")})
	d.Received("a string", nil)
	require.Empty(t, d.Check())
}
