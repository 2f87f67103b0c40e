package mirrortest

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
)

// user is somebody who writes what the controller reads.
type user struct {
	ctx  context.Context
	set  kubernetes.Interface
	fail func(error)
}

func (u user) check(err error) {
	if err != nil {
		u.fail(err)
	}
}

// namespaces makes some that ask for mirrors.
func (u user) namespaces(names ...string) {
	for _, name := range names {
		u.asks(name, true)
	}
}

// asks has a namespace ask for mirrors or not, and makes it if it is not there.
func (u user) asks(name string, asks bool) {
	wanted := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{}}}
	if asks {
		wanted.Labels[mirror.Group] = group
	}
	_, err := u.set.CoreV1().Namespaces().Update(u.ctx, wanted, metav1.UpdateOptions{})
	if apierrors.IsNotFound(err) {
		_, err = u.set.CoreV1().Namespaces().Create(u.ctx, wanted, metav1.CreateOptions{})
	}
	u.check(err)
}

func (u user) deleteNamespace(name string) {
	u.check(u.set.CoreV1().Namespaces().Delete(u.ctx, name, metav1.DeleteOptions{}))
}

// put makes a ConfigMap what it should be, whatever it was. A role of "-" has it not even in the group.
func (u user) put(namespace, name, role, value string) *corev1.ConfigMap {
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name,
		Labels: map[string]string{"of": "somebody"}}, Data: map[string]string{"value": value}}
	if role != "-" {
		object.Labels[mirror.Group] = group
	}
	if role != "-" && role != "" {
		object.Labels[mirror.Role] = role
	}
	all := u.set.CoreV1().ConfigMaps(namespace)
	for {
		made, err := all.Update(u.ctx, object, metav1.UpdateOptions{})
		if apierrors.IsNotFound(err) {
			if made, err = all.Create(u.ctx, object, metav1.CreateOptions{}); apierrors.IsAlreadyExists(err) {
				continue // the controller was quicker
			}
		}
		u.check(err)
		return made
	}
}

func (u user) source(namespace, name, value string) { u.put(namespace, name, mirror.Source, value) }

// change has a function change a ConfigMap that is there.
func (u user) change(namespace, name string, change func(*corev1.ConfigMap)) {
	object := u.get(namespace, name)
	change(object)
	_, err := u.set.CoreV1().ConfigMaps(namespace).Update(u.ctx, object, metav1.UpdateOptions{})
	u.check(err)
}

func (u user) get(namespace, name string) *corev1.ConfigMap {
	object, err := u.set.CoreV1().ConfigMaps(namespace).Get(u.ctx, name, metav1.GetOptions{})
	u.check(err)
	return object
}

func (u user) delete(namespace, name string) {
	u.check(u.set.CoreV1().ConfigMaps(namespace).Delete(u.ctx, name, metav1.DeleteOptions{}))
}

// try is get for what may not be there.
func (u user) try(namespace, name string) (*corev1.ConfigMap, error) {
	return u.set.CoreV1().ConfigMaps(namespace).Get(u.ctx, name, metav1.GetOptions{})
}

// tryDelete is delete for what may not be there.
func (u user) tryDelete(namespace, name string) {
	if err := u.set.CoreV1().ConfigMaps(namespace).Delete(u.ctx, name,
		metav1.DeleteOptions{}); !apierrors.IsNotFound(err) {
		u.check(err)
	}
}
