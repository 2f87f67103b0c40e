package mirror_test

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

// benched are the two controllers: the same code on the book's parts and on client-go's.
var benched = []struct {
	impl  string
	parts func() mirror.Parts
}{{"ours", mirror.Book}, {"upstream", mirror.ClientGo}}

// world is chapter 03's server in memory, with a hundred namespaces that ask, and somebody who watches the mirrors.
type world struct {
	set  kubernetes.Interface
	seen <-chan *corev1.ConfigMap // each mirror that was made or changed
}

const asking = 100

func newWorld(b *testing.B) world {
	handler := apiserver.New(storage.New(storage.Options{}), apiserver.Options{}, apiserver.ConfigMaps,
		apiserver.Resource{Version: "v1", Plural: "namespaces", Kind: "Namespace", ClusterScoped: true})
	transport, stop := pipe.Serve(handler)
	b.Cleanup(stop)
	set, err := kubernetes.NewForConfigAndClient(&rest.Config{Host: "http://memory", QPS: -1,
		ContentConfig: rest.ContentConfig{ContentType: runtime.ContentTypeJSON}}, &http.Client{Transport: transport})
	check(b, err)
	for i := range asking {
		_, err := set.CoreV1().Namespaces().Create(b.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
			Name: fmt.Sprintf("n-%d", i), Labels: map[string]string{mirror.Group: "bench"}}}, metav1.CreateOptions{})
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
	return world{set, seen}
}

func check(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// run runs a controller until the function that it returns is called.
func (w world) run(b *testing.B, parts mirror.Parts) (stop func()) {
	c, err := mirror.New(w.set, mirror.Options{Group: "bench", Parts: parts, Workers: 4})
	check(b, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx) }()
	return func() { cancel(); check(b, <-ended) }
}

func source(value string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "menu",
		Labels: map[string]string{mirror.Group: "bench", mirror.Role: mirror.Source}},
		Data: map[string]string{"today": value}}
}

// until waits until all mirrors have a value.
func (w world) until(value string) {
	for left := asking; left > 0; {
		if object := <-w.seen; object.Data["today"] == value {
			left--
		}
	}
}

// BenchmarkConverge has a source change, and waits until all its mirrors have.
func BenchmarkConverge(b *testing.B) {
	for _, impl := range benched {
		b.Run("impl="+impl.impl, func(b *testing.B) {
			w := newWorld(b)
			stop := w.run(b, impl.parts())
			defer stop()
			_, err := w.set.CoreV1().ConfigMaps("home").Create(b.Context(), source("0"), metav1.CreateOptions{})
			check(b, err)
			w.until("0")
			b.ResetTimer()
			for i := range b.N {
				value := fmt.Sprint(i + 1)
				_, err := w.set.CoreV1().ConfigMaps("home").Update(b.Context(), source(value), metav1.UpdateOptions{})
				check(b, err)
				w.until(value)
			}
			b.ReportMetric(float64(b.N*asking)/b.Elapsed().Seconds(), "mirrors/s")
		})
	}
}

// BenchmarkRepair has somebody change a mirror, and waits until it is repaired.
func BenchmarkRepair(b *testing.B) {
	for _, impl := range benched {
		b.Run("impl="+impl.impl, func(b *testing.B) {
			w := newWorld(b)
			stop := w.run(b, impl.parts())
			defer stop()
			_, err := w.set.CoreV1().ConfigMaps("home").Create(b.Context(), source("right"), metav1.CreateOptions{})
			check(b, err)
			w.until("right")
			mirrors := w.set.CoreV1().ConfigMaps("n-0")
			for b.Loop() {
				object, err := mirrors.Get(b.Context(), "menu", metav1.GetOptions{})
				check(b, err)
				object.Data["today"] = "wrong"
				_, err = mirrors.Update(b.Context(), object, metav1.UpdateOptions{})
				check(b, err)
				for (<-w.seen).Data["today"] != "right" {
				}
			}
		})
	}
}
