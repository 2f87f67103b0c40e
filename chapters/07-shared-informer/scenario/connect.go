package scenario

import (
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// Source lists and watches the run's ConfigMaps.
func Source(over kubernetes.Interface, namespace string) cache.ListerWatcher {
	own := func(o *metav1.ListOptions) { o.FieldSelector = lab.OwnConfigMaps }
	lw := cache.NewFilteredListWatchFromClient(over.CoreV1().RESTClient(), "configmaps", namespace, own)
	return cache.ToListWatcherWithWatchListSemantics(lw, over)
}

// Direct is client-go's client of the run's API server. Its requests show themselves.
func Direct(l *lab.Lab) (kubernetes.Interface, error) {
	return clientset(l.Server.String(), l.Aloud(l.HTTPClient()))
}

// Quiet is Direct, and shows nothing.
func Quiet(l *lab.Lab) (kubernetes.Interface, error) {
	return clientset(l.Server.String(), l.HTTPClient())
}

// Expiring is Direct through a fault proxy: its first watch expires in place of the event with this number, from 1.
// Before the client learns of it, then is called. Call end when the client is done.
func Expiring(l *lab.Lab, event int, then func()) (over kubernetes.Interface, end func() error, err error) {
	proxy := faults.New(l.Server, l.HTTPClient().Transport,
		faults.Written{{Request: 1, Event: event, Kind: faults.Expired}})
	proxy.OnFault(func(faults.Record, faults.Fault) {
		l.Event("FAULT", "expired: in place of the event, an ERROR event: 410 Expired")
		then()
	})
	over, err = clientset("http://faults", l.Aloud(proxy.Client()))
	return over, proxy.Close, err
}

func clientset(host string, over *http.Client) (kubernetes.Interface, error) {
	config := &rest.Config{Host: host, QPS: -1, ContentConfig: rest.ContentConfig{ContentType: runtime.ContentTypeJSON}}
	return kubernetes.NewForConfigAndClient(config, over)
}
