package restmapper_test

import (
	"net/http"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/restmapper"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/restmapper/restmappertest"
)

// patience is how long a test waits for something that has to happen.
const patience = 30 * time.Second

// held is a world whose first answer is on its way for as long as the test likes.
type held struct {
	*restmappertest.World
	first   sync.Once
	made    chan struct{} // closed when the first answer is made
	release chan struct{}
}

func newHeld() *held {
	return &held{World: newWorld(), made: make(chan struct{}), release: make(chan struct{})}
}

func (h *held) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := h.World.RoundTrip(r)
	h.first.Do(func() {
		close(h.made)
		<-h.release
	})
	return response, err
}

// mapper asks the world through the transport that holds.
func (h *held) mapper() *restmapper.Mapper {
	return restmapper.New(&http.Client{Transport: h}, restmappertest.Server)
}

// asking has n callers ask for a kind at the same time.
func asking(m *restmapper.Mapper, n int, kind schema.GroupKind) (errs chan error) {
	errs = make(chan error, n)
	for range n {
		go func() {
			_, err := m.RESTMapping(kind, "v1")
			errs <- err
		}()
	}
	return errs
}

// until waits until so many questions have come and requests have left.
func until(m *restmapper.Mapper, moments int) {
	for m.Moments() < int64(moments) {
		runtime.Gosched()
	}
}

// Callers that want to know the same share a request.
func TestOneRequestForAll(t *testing.T) {
	const callers = 20
	world := newHeld()
	m := world.mapper()
	errs := asking(m, callers, doll)
	until(m, callers+1) // all have asked, and one request is on its way
	close(world.release)
	for range callers {
		require.NoError(t, <-errs)
	}
	require.Len(t, world.Requests(), 1)
}

// Callers that want to know of a kind that is not there, and come when a request is on its way already, share the next.
func TestOneRequestForAllInVain(t *testing.T) {
	const callers = 20
	for _, broken := range []bool{false, true} {
		world := newHeld()
		world.Break(toysV1, broken)
		m := world.mapper()
		first := asking(m, 1, car)
		<-world.made
		others := asking(m, callers, car)
		until(m, 1+1+callers)
		close(world.release)
		require.Equal(t, !broken, meta.IsNoMatchError(<-first))
		for range callers {
			err := <-others
			require.Error(t, err)
			require.Equal(t, !broken, meta.IsNoMatchError(err))
		}
		require.Len(t, world.Requests(), 2)
	}
}

// A kind is found that was installed before it was asked for, although an answer without it is still on its way.
func TestAnAnswerMayBeOlderThanAQuestion(t *testing.T) {
	world := newHeld()
	m := world.mapper()
	before := asking(m, 1, car)
	<-world.made
	world.Serve(toysV1, restmappertest.Resource("cars", "car", "Car", true))
	after := asking(m, 1, car)
	until(m, 3)
	close(world.release)
	<-before // which finds it or not: that is nobody's promise
	require.NoError(t, <-after)
}

// Who asks for a kind that is known does not wait for a request that somebody else's unknown kind costs.
func TestWhatIsKnownWaitsForNobody(t *testing.T) {
	world := newHeld()
	world.first.Do(func() {}) // nothing is held
	m := world.mapper()
	_, err := m.RESTMapping(doll, "v1")
	require.NoError(t, err)
	world.first = sync.Once{}
	vain := asking(m, 1, car)
	<-world.made
	select {
	case err := <-asking(m, 1, doll):
		require.NoError(t, err)
	case <-time.After(patience):
		t.Error("it waits")
	}
	close(world.release)
	require.True(t, meta.IsNoMatchError(<-vain))
}
