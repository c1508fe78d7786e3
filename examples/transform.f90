! Fortran: a two-dimensional transform and its inverse through the C interface. Fortran's first axis is the fastest, so that a(nx, ny)
! is an array of extents (ny, nx) to crinkle.
! SPDX-License-Identifier: BSD-3-Clause
program transform
  use iso_c_binding
  implicit none

  type, bind(c) :: layout
    integer(c_int) :: rank
    type(c_ptr) :: extents, strides
    integer(c_int64_t) :: offset, element_bytes
  end type
  type, bind(c) :: fft_request
    type(layout) :: in, out
    integer(c_int) :: n_axes
    type(c_ptr) :: axes, sizes, kind
    integer(c_int) :: is_inverse
    type(c_ptr) :: norm, real, shift
  end type

  interface
    integer(c_int) function crinkle_make_fft(request, device, n_threads, plan) bind(c)
      import :: fft_request, c_int, c_ptr
      type(fft_request), intent(in) :: request
      integer(c_int), value :: device, n_threads
      type(c_ptr), intent(out) :: plan
    end function
    integer(c_int) function crinkle_run(plan, src, src_bytes, dst, dst_bytes) bind(c)
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: plan
      type(c_ptr), intent(in) :: src(*), dst(*)
      integer(c_int64_t), intent(in) :: src_bytes(*), dst_bytes(*)
    end function
    subroutine crinkle_free_plan(plan) bind(c)
      import :: c_ptr
      type(c_ptr), value :: plan
    end subroutine
  end interface

  integer, parameter :: nx = 12, ny = 10
  complex(c_float_complex), target :: a(nx, ny), spectrum(nx, ny), back(nx, ny)
  real :: re(nx, ny), im(nx, ny)

  call random_number(re)
  call random_number(im)
  a = cmplx(re, im)
  call run(a, spectrum, 0)
  call run(spectrum, back, 1)
  if (abs(spectrum(1, 1) - sum(a)) > 1e-4 * abs(sum(a)) .or. maxval(abs(back - a)) > 1e-5) stop 1
  print '(a, 2f7.2, a)', 'the sum of all is', spectrum(1, 1), ', and the inverse brings them back'

contains

  subroutine run(from, to, is_inverse)
    complex(c_float_complex), target, intent(in) :: from(nx, ny)
    complex(c_float_complex), target, intent(out) :: to(nx, ny)
    integer, intent(in) :: is_inverse
    integer(c_int64_t), target :: extents(2), axes(2), bytes(1)
    type(c_ptr) :: plan, src(1), dst(1)
    type(fft_request) :: request

    extents = [ny, nx]
    axes = [0, 1]
    request%in = layout(2, c_loc(extents), c_null_ptr, 0, 8)
    request%out = request%in
    request%n_axes = 2
    request%axes = c_loc(axes)
    request%sizes = c_null_ptr
    request%kind = c_null_ptr
    request%is_inverse = is_inverse
    request%norm = c_null_ptr
    request%real = c_null_ptr
    request%shift = c_null_ptr
    if (crinkle_make_fft(request, -1, 0, plan) /= 0) stop 2
    src = c_loc(from)
    dst = c_loc(to)
    bytes = 8 * nx * ny
    if (crinkle_run(plan, src, bytes, dst, bytes) /= 0) stop 3
    call crinkle_free_plan(plan)
  end subroutine
end program
