package claims

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	goruntime "runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/store/mutation"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/pipe"
)

// The variable that switches client-go's detector on is read once, when the program begins. So what it does is played
// by this test binary again, as another process with the variable set.
const (
	detectorEnv = "KUBE_CACHE_MUTATION_DETECTOR"
	sceneEnv    = "SCRATCH_DETECTOR_SCENE"
)

// scenes are what such a process plays.
var scenes = map[string]func(t *testing.T){
	"informer": inBubble(informerScene), "printed": inBubble(printedScene),
	"forgotten": inBubble(forgottenScene), "end": inBubble(endScene), "collision": collisionScene,
}

// inBubble is for scenes in which minutes are to take no time.
func inBubble(scene func(t *testing.T)) func(t *testing.T) {
	return func(t *testing.T) { testkit.Bubble(t, scene) }
}

// TestScene plays one scene in the other process. Without one it does nothing.
func TestScene(t *testing.T) {
	if scene := scenes[os.Getenv(sceneEnv)]; scene != nil {
		scene(t)
	}
}

// nothing is what a scene prints that comes to its end.
const nothing = "nothing was detected"

// play runs a scene with client-go's detector, and returns what the process printed and how it ended.
func play(t *testing.T, scene string) (output string, err error) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	other := exec.CommandContext(t.Context(), self, "-test.run=^TestScene$", "-test.count=1", "-test.v")
	other.Env = append(os.Environ(), detectorEnv+"=true", sceneEnv+"="+scene)
	printed, err := other.CombinedOutput()
	return string(printed), err
}

// paintBlack is a reader that does what none may.
func paintBlack(lister corelisters.ConfigMapLister, namespace, name string) {
	object, err := lister.ConfigMaps(namespace).Get(name)
	if err == nil {
		object.Labels["color"] = "black"
	}
}

// informerScene: an informer that a program uses as always, on chapter 03's server.
func informerScene(t *testing.T) {
	server := apiserver.New(storage.New(storage.Options{}), apiserver.Options{}, apiserver.ConfigMaps)
	transport, stop := pipe.Serve(server)
	defer stop()
	set, err := kubernetes.NewForConfig(&rest.Config{Host: "http://server", Dial: transport.DialContext, QPS: -1,
		ContentConfig: rest.ContentConfig{ContentType: runtime.ContentTypeJSON}})
	require.NoError(t, err)
	object := colored("default", "a", "red")
	object.ResourceVersion = ""
	_, err = set.CoreV1().ConfigMaps("default").Create(t.Context(), object, metav1.CreateOptions{})
	require.NoError(t, err)
	factory := informers.NewSharedInformerFactory(set, 0)
	lister := factory.Core().V1().ConfigMaps().Lister()
	run(t, factory)
	synctest.Wait()
	paintBlack(lister, "default", "a")
	time.Sleep(time.Minute)
	fmt.Println(nothing)
}

// TestUpstreamsDetector: with the variable set, an informer compares its objects once a second, prints one that changed
// beside its copy, and panics. Who received it is not in the message. The race detector does name the writer, since to
// compare is to read, and the write was a race with that. A variable that a program sets itself is too late.
//
// covers: C-12
func TestUpstreamsDetector(t *testing.T) {
	printed, err := play(t, "informer")
	require.Error(t, err, printed)
	before, message, found := strings.Cut(printed, "CACHE *v1.ConfigMap[0] ALTERED!")
	require.True(t, found, printed)
	require.Contains(t, message, "panic: cache *v1.ConfigMap modified")
	require.NotContains(t, message, "paintBlack", "nothing says who")
	require.Equal(t, testkit.Raced, strings.Contains(before, "paintBlack"), "but for a report of the race detector")

	t.Setenv(detectorEnv, "true")
	late := cache.NewCacheMutationDetector("*v1.ConfigMap")
	object := colored("default", "a", "red")
	late.AddObject(object)
	object.Labels["color"] = "black"
	stop := make(chan struct{})
	close(stop)
	require.NotPanics(t, func() { late.Run(stop) }, "it was off when the program began")
}

// TestOurDetector: this chapter's says which field, and which call sites had the object.
//
// covers: C-12
func TestOurDetector(t *testing.T) {
	d := &mutation.Detector{Name: "*v1.ConfigMap"}
	s := d.Guard(ours(nil))
	require.NoError(t, s.Add(colored("default", "a", "red")))
	paintBlack(corelisters.NewConfigMapLister(s), "default", "a")
	found := d.Check()
	require.Len(t, found, 1)
	require.Equal(t, "default/a", found[0].Key)
	require.Equal(t, []mutation.Field{{Path: "metadata.labels[color]", Was: `"red"`, Is: `"black"`}}, found[0].Fields)
	require.Len(t, found[0].Received, 1)
	require.Contains(t, found[0].Received[0].String(), "paintBlack (detector_test.go:")
}

// volume is a Pod whose volume has a size limit that nobody has printed yet.
func volume() *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "a"}, Spec: corev1.PodSpec{Volumes: []corev1.Volume{
		{VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{
			SizeLimit: resource.NewQuantity(1<<30, resource.BinarySI)}}}}}}
}

func printedScene(t *testing.T) {
	pod := volume()
	d := cache.NewCacheMutationDetector("*v1.Pod")
	d.AddObject(pod)
	require.Equal(t, "1Gi", pod.Spec.Volumes[0].EmptyDir.SizeLimit.String())
	d.Run(nil)
}

// TestPrintingAQuantity: a resource.Quantity keeps its text when it is printed for the first time. Upstream compares
// all bytes and takes that for a change; ours asks the Quantity. It is still a write to what others read.
//
// covers: C-12
func TestPrintingAQuantity(t *testing.T) {
	printed, err := play(t, "printed")
	require.Error(t, err, printed)
	require.Contains(t, printed, "panic: cache *v1.Pod modified")

	pod := volume()
	d := &mutation.Detector{}
	d.AddObject(pod)
	require.Equal(t, "1Gi", pod.Spec.Volumes[0].EmptyDir.SizeLimit.String())
	require.Empty(t, d.Check())
}

func forgottenScene(t *testing.T) {
	object := colored("default", "a", "red")
	d := cache.NewCacheMutationDetector("*v1.ConfigMap")
	d.AddObject(object)
	stop, done := make(chan struct{}), make(chan struct{})
	go func() { defer close(done); d.Run(stop) }()
	time.Sleep(5 * time.Minute)
	synctest.Wait()
	object.Labels["color"] = "black"
	time.Sleep(5 * time.Minute)
	close(stop)
	<-done
	fmt.Println(nothing)
}

// TestHowLongObjectsAreWatched: upstream watches an object for two to four minutes from when it came, and no longer,
// also while the cache has it. Ours watches what the cache has, and for two minutes what it has dropped.
//
// covers: C-12
func TestHowLongObjectsAreWatched(t *testing.T) {
	printed, err := play(t, "forgotten")
	require.NoError(t, err, printed)
	require.Contains(t, printed, nothing)

	testkit.Bubble(t, func(t *testing.T) {
		object := colored("default", "a", "red")
		d := &mutation.Detector{}
		require.NoError(t, d.Guard(ours(nil)).Add(object))
		for range 5 {
			time.Sleep(time.Minute)
			require.Empty(t, d.Check())
		}
		object.Labels["color"] = "black"
		require.Len(t, d.Check(), 1)
	})
}

func endScene(t *testing.T) {
	object := colored("default", "a", "red")
	d := cache.NewCacheMutationDetector("*v1.ConfigMap")
	d.AddObject(object)
	stop, done := make(chan struct{}), make(chan struct{})
	go func() { defer close(done); d.Run(stop) }()
	synctest.Wait()
	object.Labels["color"] = "black"
	close(stop)
	<-done
	fmt.Println(nothing)
}

// TestTheLastLook: upstream's Run does not compare again when it is stopped, so that what was changed in the last
// second of a test stays unknown. Ours does.
//
// covers: C-12
func TestTheLastLook(t *testing.T) {
	printed, err := play(t, "end")
	require.NoError(t, err, printed)
	require.Contains(t, printed, nothing)

	object := colored("default", "a", "red")
	d := &mutation.Detector{}
	d.AddObject(object)
	object.Labels["color"] = "black"
	stop := make(chan struct{})
	close(stop)
	require.Panics(t, func() { d.Run(stop) })
}

func collisionScene(t *testing.T) {
	goruntime.GOMAXPROCS(max(2, goruntime.GOMAXPROCS(0)))
	s := ours(nil)
	require.NoError(t, s.Add(colored("default", "a", "red")))
	lister := corelisters.NewConfigMapLister(s)
	go func() {
		for {
			paintBlack(lister, "default", "a")
		}
	}()
	for begin := time.Now(); time.Since(begin) < patience; {
		if _, err := lister.List(red()); err != nil {
			t.Error(err)
		}
	}
	fmt.Println(nothing)
}

// TestAReaderAndAWriterCollide: a label that is written into a cached object while a lister looks at the labels ends
// the program, since Go's runtime found a map in the middle of a write. No recover helps, and no lock of the store: the
// map is the object's.
//
// covers: S2-05
func TestAReaderAndAWriterCollide(t *testing.T) {
	printed, err := play(t, "collision")
	require.Error(t, err, printed)
	printed = raceReport.ReplaceAllString(printed, "") // the race detector may report in the middle of the line
	require.Contains(t, printed, "fatal error: concurrent map read and map write")
}

var raceReport = regexp.MustCompile(`(?s)={18}\nWARNING: DATA RACE\n.*?\n={18}\n`)
