package claims

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiwatch "k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	clientrest "k8s.io/client-go/rest"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/listwatch"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
)

// TestOnClientGo runs the client on client-go's REST client in place of chapter 01's: the loop needs
// nothing but a list and a stream of events. Two kinds of fault are left out, because client-go keeps
// them to itself: it sends a request again after a 429 and after a connection that broke without an
// answer, up to ten times, and sleeps in between by the real clock.
func TestOnClientGo(t *testing.T) {
	f := setup(t)
	for _, streaming := range []bool{false, true} {
		s := f.scene(11, streaming)
		kinds := slices.DeleteFunc(slices.Clone(faults.Kinds),
			func(k faults.Kind) bool { return k == faults.TooMany || k == faults.Away })
		s.Script, s.Requests = faults.Seeded(11, 100, kinds...), 101
		s.Source = func(through *http.Client) (listwatch.Source, error) {
			config := &clientrest.Config{Host: "http://faults", QPS: -1,
				ContentConfig: clientrest.ContentConfig{ContentType: runtime.ContentTypeJSON}}
			set, err := kubernetes.NewForConfigAndClient(config, through)
			return clientGo{set, f.Namespace}, err
		}
		result, err := s.Play(t.Context())
		require.NoError(t, err)
		require.GreaterOrEqual(t, result.Total, 50)
	}
}

// clientGo is a Source on client-go.
type clientGo struct {
	set       kubernetes.Interface
	namespace string
}

// options are our options in client-go's words.
func options(o watch.Options) metav1.ListOptions {
	out := metav1.ListOptions{
		LabelSelector: scenario.Selector, ResourceVersion: o.ResourceVersion,
		ResourceVersionMatch: metav1.ResourceVersionMatch(o.ResourceVersionMatch),
		AllowWatchBookmarks:  o.AllowWatchBookmarks, Limit: int64(o.Limit), Continue: o.Continue,
	}
	if o.TimeoutSeconds > 0 {
		seconds := int64(o.TimeoutSeconds)
		out.TimeoutSeconds = &seconds
	}
	if o.SendInitialEvents != "" {
		send := o.SendInitialEvents == "true"
		out.SendInitialEvents = &send
	}
	return out
}

func (c clientGo) List(ctx context.Context, o watch.Options) (*watch.List, error) {
	l, err := c.set.CoreV1().ConfigMaps(c.namespace).List(ctx, options(o))
	if err != nil {
		return nil, translate(err)
	}
	out := &watch.List{}
	out.Metadata.ResourceVersion, out.Metadata.Continue = l.ResourceVersion, l.Continue
	for i := range l.Items {
		raw, err := json.Marshal(&l.Items[i])
		if err != nil {
			return nil, err
		}
		out.Items = append(out.Items, raw)
	}
	return out, nil
}

func (c clientGo) Watch(ctx context.Context, o watch.Options) (listwatch.Stream, error) {
	w, err := c.set.CoreV1().ConfigMaps(c.namespace).Watch(ctx, options(o))
	if err != nil {
		return nil, translate(err)
	}
	return clientGoStream{ctx, w}, nil
}

// translate makes a StatusError ours.
func translate(err error) error {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return err
	}
	s := status.Status()
	out := &watch.StatusError{Code: int(s.Code), Reason: string(s.Reason), Message: s.Message}
	if s.Details != nil {
		out.Details.RetryAfterSeconds = int(s.Details.RetryAfterSeconds)
	}
	return out
}

// clientGoStream is a Stream on a watch.Interface. That has no word for a broken connection: its
// channel closes, as for an end in good order.
type clientGoStream struct {
	ctx context.Context
	w   apiwatch.Interface
}

func (s clientGoStream) Next() (watch.Event, error) {
	select {
	case e, ok := <-s.w.ResultChan():
		if !ok {
			return watch.Event{}, io.EOF
		}
		if cm, isObject := e.Object.(*corev1.ConfigMap); isObject {
			raw, err := json.Marshal(cm)
			return watch.Event{Type: watch.EventType(e.Type), Object: raw}, err
		}
		return watch.Event{}, translate(apierrors.FromObject(e.Object))
	case <-s.ctx.Done():
		return watch.Event{}, context.Cause(s.ctx)
	}
}

func (s clientGoStream) Close() error { s.w.Stop(); return nil }
