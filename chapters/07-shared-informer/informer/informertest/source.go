package informertest

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/ptr"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector/reflectortest"
)

// source is a collection that answers lists and watches: chapter 05's server, which can be down.
type source struct {
	*reflectortest.Server
	streams bool // and so refuses no streaming list

	mu      sync.Mutex     // guards what is below
	version int            // of the last change, or bookmark
	gone    map[string]int // the version of each name's last deletion
	down    bool
}

func newSource(streams bool) *source {
	return &source{Server: reflectortest.NewServer(), streams: streams, version: 1, gone: map[string]int{}}
}

func (s *source) listerWatcher() cache.ListerWatcher {
	return &cache.ListWatch{ListWithContextFunc: s.list, WatchFuncWithContext: s.watch}
}

// change makes changes.
func (s *source) change(changes []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, change := range changes {
		s.version++
		if name, isDeletion := strings.CutPrefix(change, "-"); isDeletion {
			s.gone[name] = s.version
			s.Delete(name)
		} else {
			s.Put(change[:1], change[1:])
		}
	}
}

// gap makes changes that no watch hears of, because all have expired. Nobody lists again before time passes.
func (s *source) gap(changes []string) {
	s.Break(reflectortest.Expired())
	s.change(changes)
}

// bookmark makes a version in which nothing of the collection changed.
func (s *source) bookmark() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version++
	s.Bookmark()
}

// set has all requests fail from now on, or none.
func (s *source) set(down bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = down
}

// refuse is the error that a request gets, or nil.
func (s *source) refuse() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.down {
		return apierrors.NewInternalError(errors.New("the server is down"))
	}
	return nil
}

func (s *source) list(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
	if err := s.refuse(); err != nil {
		return nil, err
	}
	return s.ListWithContext(ctx, options)
}

func (s *source) watch(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	if err := s.refuse(); err != nil {
		return nil, err
	}
	if ptr.Deref(options.SendInitialEvents, false) && !s.streams {
		return nil, reflectortest.Unsupported()
	}
	return s.WatchWithContext(ctx, options)
}

// atLeast says whether somebody who holds this of a name, or nothing, has heard of its changes up to a version.
func (s *source) atLeast(version int, name string, held *corev1.ConfigMap) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if held == nil {
		return s.gone[name] >= version
	}
	return versionOf(held) >= version
}

// versionOf is 0 for nothing.
func versionOf(object *corev1.ConfigMap) int {
	if object == nil {
		return 0
	}
	version, _ := strconv.Atoi(object.ResourceVersion)
	return version
}
