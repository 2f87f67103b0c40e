package mirrortest

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/pipe"
)

// BenchmarkConverge has a source change, and waits until all its mirrors have. It reports mirrors/s.
func BenchmarkConverge(b *testing.B, controller Controller) {
	w := newBench(b, controller)
	w.write(w.set.CoreV1().ConfigMaps("home").Create(b.Context(), measured("0"), metav1.CreateOptions{}))
	w.until("0")
	b.ResetTimer()
	for i := range b.N {
		value := fmt.Sprint(i + 1)
		w.write(w.set.CoreV1().ConfigMaps("home").Update(b.Context(), measured(value), metav1.UpdateOptions{}))
		w.until(value)
	}
	b.ReportMetric(float64(b.N*asking)/b.Elapsed().Seconds(), "mirrors/s")
}

// BenchmarkRepair has somebody change a mirror, and waits until it is repaired.
func BenchmarkRepair(b *testing.B, controller Controller) {
	w := newBench(b, controller)
	w.write(w.set.CoreV1().ConfigMaps("home").Create(b.Context(), measured("right"), metav1.CreateOptions{}))
	w.until("right")
	mirrors := w.set.CoreV1().ConfigMaps("n-0")
	for b.Loop() {
		object, err := mirrors.Get(b.Context(), "menu", metav1.GetOptions{})
		check(b, err)
		object.Data["today"] = "wrong"
		w.write(mirrors.Update(b.Context(), object, metav1.UpdateOptions{}))
		for (<-w.seen).Data["today"] != "right" {
		}
	}
}

// bench is chapter 03's server in memory, with a hundred namespaces that ask, a controller, and somebody who watches
// the mirrors.
type bench struct {
	b    *testing.B
	set  kubernetes.Interface
	seen <-chan *corev1.ConfigMap // each mirror that was made or changed
}

const asking = 100

func newBench(b *testing.B, controller Controller) bench {
	handler := apiserver.New(storage.New(storage.Options{}), apiserver.Options{}, apiserver.ConfigMaps,
		apiserver.Resource{Version: "v1", Plural: "namespaces", Kind: "Namespace", ClusterScoped: true})
	transport, stop := pipe.Serve(handler)
	b.Cleanup(stop)
	config, client := &rest.Config{Host: "http://memory", QPS: -1,
		ContentConfig: rest.ContentConfig{ContentType: runtime.ContentTypeJSON}}, &http.Client{Transport: transport}
	set, err := kubernetes.NewForConfigAndClient(config, client)
	check(b, err)
	for i := range asking {
		_, err := set.CoreV1().Namespaces().Create(b.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
			Name: fmt.Sprintf("n-%d", i), Labels: map[string]string{mirror.Group: group}}}, metav1.CreateOptions{})
		check(b, err)
	}
	watching, err := set.CoreV1().ConfigMaps("").Watch(b.Context(),
		metav1.ListOptions{LabelSelector: mirror.Role + "=" + mirror.Mirror})
	check(b, err)
	b.Cleanup(watching.Stop)
	seen := make(chan *corev1.ConfigMap, 10*asking)
	go func() {
		for e := range watching.ResultChan() {
			if object, ok := e.Object.(*corev1.ConfigMap); ok {
				seen <- object
			}
		}
	}()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- controller(ctx, config, client, group) }()
	b.Cleanup(func() { cancel(); check(b, <-ended) })
	return bench{b, set, seen}
}

func check(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// measured is a source with a value.
func measured(value string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "menu",
		Labels: map[string]string{mirror.Group: group, mirror.Role: mirror.Source}},
		Data: map[string]string{"today": value}}
}

func (w bench) write(_ *corev1.ConfigMap, err error) { check(w.b, err) }

// until waits until all mirrors have a value.
func (w bench) until(value string) {
	for left := asking; left > 0; {
		if object := <-w.seen; object.Data["today"] == value {
			left--
		}
	}
}
